"""The blocks of docs/analyses.md run as they stand; a new analysis takes about thirty lines of Python."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "analyses.md"


def test_every_block_runs_and_the_analysis_is_short(capsys):
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert capsys.readouterr().out == "arith.addi is computed again\n2\n"
    program = re.sub(r'""".*?"""', "", blocks[0], flags=re.S)
    assert len([line for line in program.splitlines() if line.strip()]) <= 30
