"""The page on many programs: its Python runs, its commands do what it says."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "many_programs.md").read_text(encoding="utf-8")


def test_python_blocks_run():
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S):
        exec(compile(block, "many_programs.md", "exec"), {})


def test_the_commands_run_as_typed(tmp_path: Path):
    (commands,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S)
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "cell.mlir").write_bytes((ROOT / "examples" / "cell.mlir").read_bytes())
    for line in commands.splitlines():
        if line.startswith("#"):
            continue
        program, *words = line.split()
        assert program == "bufferize"
        run = [sys.executable, "-c", "from bufferize.cli.main import main; raise SystemExit(main())", *words]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert done.stdout == "no difference\n"
