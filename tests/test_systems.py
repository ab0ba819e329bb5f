"""Other systems and versions: nothing imports what is not everywhere, and every file compiles with each version."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = r"""
import importlib, os, pkgutil, signal, sys

class Elsewhere:
    ABSENT = {"fcntl", "resource", "pwd", "grp", "pty", "readline", "crypt", "spwd", "syslog", "nis"}
    EXTRAS = {"numpy", "highspy", "islpy", "z3", "ortools", "pygls", "lsprotocol", "distributed", "xdsl", "lark", "IPython"}

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.ABSENT | self.EXTRAS:
            raise ModuleNotFoundError(f"there is no {name} here", name=name)

for name in ("fork", "getuid", "geteuid", "wait4", "sched_getaffinity", "killpg", "mkfifo"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGALRM", "SIGKILL", "SIGPIPE", "setitimer", "alarm"):
    if hasattr(signal, name):
        delattr(signal, name)
sys.meta_path.insert(0, Elsewhere())
import bufferize
wrong = []
for module in pkgutil.walk_packages(bufferize.__path__, "bufferize."):
    if module.name == "bufferize.setup":  # a checkout has it
        continue
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as failure:
        if failure.name.partition(".")[0] not in Elsewhere.EXTRAS:
            wrong.append(f"{module.name}: {failure}")
    except Exception as failure:
        wrong.append(f"{module.name}: {type(failure).__name__}: {failure}")
sys.exit("\n".join(wrong) or None)
"""


def test_nothing_imports_what_is_not_everywhere(tmp_path: Path):
    """In particular not on Windows. Extras may be missing: whoever imports them is told which."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def _sources() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]
    return [path for path in ROOT.rglob("*.py") if ".venv" not in path.parts and "build" not in path.parts]


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_every_file_compiles_and_a_program_is_explained(version: str, tmp_path: Path):
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "--version"], capture_output=True).returncode != 0:
        pytest.skip(f"Python {version} is not installed")
    import networkx

    libraries = tmp_path / "libraries"
    folder = Path(networkx.__file__ or "").parent
    shutil.copytree(folder, libraries / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    (libraries / "bufferize").symlink_to(ROOT)
    program = (
        "import sys, warnings; warnings.simplefilter('error')\n"
        f"sources = {[str(path) for path in _sources()]!r}\n"
        "for path in sources: compile(open(path, encoding='utf-8').read(), path, 'exec')\n"
        "from bufferize.cli.main import main\n"
        f"sys.exit(main(['explain', {str(ROOT / 'examples' / 'loop.mlir')!r}]))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(libraries), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [python, "-S", "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "carried-around-loop" in done.stdout
