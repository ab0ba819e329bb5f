"""`bufferize playground`: writes a static site that explains programs in the browser.

The page has an editor with the language server's assistance, examples, and panes: the explanation, the report, the
program after each pass, the edits of `fix`, memory over time, pictures. The package itself runs in a web worker of the
browser, by Pyodide (Python compiled to WebAssembly); programs never leave the reader's machine. The page's address
contains the program, so it can be shared.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from importlib import util
from pathlib import Path

from ..ir.source.diagnostics import InputError, error
from . import arguments, output

SUMMARY = "Write a page that explains programs in the browser: a folder for any static web server, with the package, Pyodide and the examples."
EXAMPLES = (
    ("bufferize playground -o site", "fetch Pyodide by npm and write the page"),
    ("bufferize playground -o site --pyodide node_modules/pyodide", "with an existing copy of Pyodide"),
    ("python -m http.server --directory site", "then open http://localhost:8000"),
)

PYODIDE = "pyodide@314.0.7"
"""The tested release."""
PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
LIBRARIES = ("networkx", "pydot", "pyparsing")
"""The package's dependencies in the browser."""
ASSISTANCE = ("lsprotocol", "attr", "attrs", "cattrs", "typing_extensions")
"""Additional dependencies of editor assistance; without them the page is written without it."""
LEFT_OUT = frozenset({"tests", "__pycache__", "build", "benchmarks", "testing", "docs", "examples"})
"""Folders omitted from the archive."""
KINDS = frozenset({".py", ".lark", ".dl", ".json", ".css", ".js", ".typed"})
ASSETS = ("playground.js", "playground.css", "editor.js", "codemirror.js", "codemirror.LICENSE", "worker.js")
HERE = Path(__file__).resolve().parent / "playground"
ROOT = HERE.parents[1]


def configure(parser: arguments.Parser) -> None:
    parser.add_argument(
        "-o", "--output", metavar="DIR", required=True, help="the folder to write the page to"
    )
    parser.add_argument(
        "--pyodide",
        metavar="DIR|URL",
        help=f"the folder of npm's package '{PYODIDE}', or the address of one; by default npm fetches it",
    )
    parser.flags("--examples DIR  example programs to include (default: those of this project, if installed)")


def run(flags: argparse.Namespace) -> int:
    target = Path(flags.output)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise InputError(f"cannot make the folder '{target}': {failure.strerror}") from None
    pyodide: str = flags.pyodide or ""
    remote = pyodide.startswith(("https://", "http://"))
    if not remote:
        with tempfile.TemporaryDirectory() as scratch:
            source = Path(pyodide) if pyodide else _fetch(Path(scratch))
            _copy_pyodide(source, target / "pyodide")
    address = pyodide.rstrip("/") + "/" if remote else "./pyodide/"
    output.write_file(str(target / "bufferize.zip"), _package())
    for name in ASSETS:
        output.write_file(str(target / name), (HERE / name).read_bytes())
    programs = _examples(Path(flags.examples) if flags.examples else ROOT / "examples")
    output.write_file(str(target / "examples.json"), json.dumps(programs, indent=1))
    output.write_file(str(target / "settings.json"), json.dumps({"pyodide": address}))
    output.write_file(str(target / "index.html"), _page(address if remote else ""))
    if not remote:
        _compile(target)
    output.write_stdout(f"the page is in {target}; python -m http.server --directory {target} serves it\n")
    return 0


def _compile(target: Path) -> None:
    """Compile the modules once here; otherwise each reader's browser does, for some seconds before the first
    explanation.
    """
    node = shutil.which("node")
    left = "modules are not compiled, so the page takes some seconds longer to start"
    if node is None:
        output.write_stdout(f"node is not installed: {left}\n")
        return
    done = subprocess.run(
        [node, str(HERE / "compile.mjs"), str(target)],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        output.write_stdout(f"node cannot run this Pyodide: {left}\n")


def _page(origin: str) -> str:
    """The page; its policy lets the embedded report run its own script and style only."""
    from ..viz.html.page import asset_hashes

    script, style = asset_hashes()
    elsewhere = f" {'/'.join(origin.split('/')[:3])}" if origin else ""
    policy = (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' '{script}'{elsewhere}; worker-src 'self'; "
        f"style-src 'self' '{style}'; connect-src 'self'{elsewhere}; frame-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return (HERE / "index.html").read_text(encoding="utf-8").replace("@POLICY@", policy)


# -- Pyodide


def _fetch(scratch: Path) -> Path:
    """Download Pyodide from npm.

    Raises:
        InputError: npm is missing or fails.
    """
    otherwise = f"--pyodide takes the folder of npm's package '{PYODIDE}', or its address"
    npm = shutil.which("npm")
    if npm is None:
        raise InputError(
            error("Pyodide is fetched by npm, which is not installed", code="no-pyodide").help(otherwise)
        )
    done = subprocess.run(
        [npm, "pack", PYODIDE, "--silent"],
        cwd=scratch,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    archives = list(scratch.glob("*.tgz"))
    if done.returncode != 0 or not archives:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise InputError(
            error(
                f"npm cannot fetch '{PYODIDE}': {said[-1] if said else 'no reason given'}", code="no-pyodide"
            ).help(otherwise)
        )
    with tarfile.open(archives[0]) as archive:
        for member in archive:
            name = member.name.removeprefix("package/")
            file = archive.extractfile(member) if name in PYODIDE_FILES else None
            if file is not None:
                (scratch / name).write_bytes(file.read())
    return scratch


def _copy_pyodide(source: Path, target: Path) -> None:
    missing = [name for name in PYODIDE_FILES if not (source / name).is_file()]
    if missing:
        raise InputError(
            error(f"'{source}' is not Pyodide: there is no '{missing[0]}'", code="no-pyodide").help(
                f"npm's package '{PYODIDE}' has it"
            )
        )
    target.mkdir(exist_ok=True)
    for name in PYODIDE_FILES:
        shutil.copyfile(source / name, target / name)


# -- the package archive


def _package() -> bytes:
    """This package and its dependencies as a zip archive, reproducible for equal files."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, root in _roots():
            for path in _files(root):
                place = f"{name}/{path.relative_to(root).as_posix()}" if root.is_dir() else f"{name}.py"
                archive.writestr(zipfile.ZipInfo(place), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return data.getvalue()


def _roots() -> list[tuple[str, Path]]:
    found = [("bufferize", ROOT)]
    for name in LIBRARIES:
        spec = util.find_spec(name)
        if spec is None or spec.origin is None:
            raise InputError(error(f"'{name}' is not installed, and the page needs it", code="no-library"))
        found.append((name, _root(spec.origin)))
    specs = {name: util.find_spec(name) for name in ASSISTANCE}
    if all(spec is not None and spec.origin is not None for spec in specs.values()):
        found += [(name, _root(spec.origin)) for name, spec in specs.items() if spec and spec.origin]
    return found


def _root(origin: str) -> Path:
    """The folder of a package, or the file of a module."""
    path = Path(origin)
    return path.parent if path.name == "__init__.py" else path


def _files(root: Path) -> list[Path]:
    """The files of a package, without subfolders that are not packages."""
    if root.is_file():
        return [root]
    found: list[Path] = []
    pending = [root]
    while pending:
        folder = pending.pop()
        for path in sorted(folder.iterdir()):
            if path.is_file() and path.suffix in KINDS and path.name != "setup.py":
                found.append(path)
            elif path.is_dir() and path.name not in LEFT_OUT and _is_package(path, folder, root):
                pending.append(path)
    return found


def _is_package(path: Path, folder: Path, root: Path) -> bool:
    return (path / "__init__.py").is_file() or (folder is not root and not path.name.startswith("."))


def _examples(folder: Path) -> list[dict[str, str]]:
    """Programs by name; empty if there is no such folder."""
    return [
        {"name": path.name, "text": path.read_text(encoding="utf-8")}
        for path in sorted(folder.glob("*.mlir"))
    ]
