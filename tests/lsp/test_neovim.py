"""The page on editors, tried: its Neovim configuration in a headless Neovim."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra bufferize[lsp] is not installed")
NVIM = shutil.which("nvim")
ROOT = Path(__file__).parents[2]

SHOW = """
vim.cmd("edit " .. vim.env.PROGRAM)
local come = vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, found in ipairs(vim.diagnostic.get(0)) do
  io.stdout:write(found.lnum + 1, " ", found.code or "", "\\n")
end
vim.cmd("quitall!")
"""


@pytest.mark.skipif(NVIM is None, reason="nvim is not installed")
def test_the_configuration_on_the_page_shows_findings(tmp_path: Path):
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    configuration = re.findall(r"^```lua\n(.*?)^```$", page, re.M | re.S)[0]
    script = tmp_path / "init.lua"
    script.write_text(configuration + SHOW, encoding="utf-8")
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "bufferize"
    command.write_text(
        f"#!{sys.executable}\nfrom bufferize.cli.main import main\nraise SystemExit(main())\n",
        encoding="utf-8",
    )
    command.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PROGRAM": str(ROOT / "examples" / "cell.mlir"),
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
    }
    done = subprocess.run(
        [str(NVIM), "--headless", "-u", str(script)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert "3 read-after-write" in done.stdout, done.stdout + done.stderr
