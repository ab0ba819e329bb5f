"""The page on many programs: its Python runs."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "many_programs.md").read_text(encoding="utf-8")


def test_python_blocks_run():
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S):
        exec(compile(block, "many_programs.md", "exec"), {})
