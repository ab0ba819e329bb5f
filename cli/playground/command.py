"""`bufferize playground`: a folder of files that, opened through any static web server, explains programs in the browser.

The page has an editor with the language server's help, the examples, and panes: the explanation, the report, the program behind each
pass, what `fix` would change, memory over time, pictures. The package itself runs in the browser, by Pyodide (Python compiled to WebAssembly), in a worker; nothing of a program leaves the reader's machine. The
address of the page holds the program, so that it can be sent to others.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...ir.source.diagnostics import InputError, error
from .. import arguments, output

if TYPE_CHECKING:
    from ...lsp.session import Session


SUMMARY = (
    "Write a page that explains programs in the browser: a folder of files for any static web server, with the package, "
    "Pyodide and the examples in it."
)
EXAMPLES = (
    ("bufferize playground -o site", "fetch Pyodide by npm and write the page"),
    ("bufferize playground -o site --pyodide node_modules/pyodide", "with a Pyodide that is there already"),
    ("python -m http.server --directory site", "then open http://localhost:8000"),
)

PYODIDE = "pyodide@314.0.7"
"""The release that the page was tried with."""
PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
LIBRARIES = ("networkx", "pydot", "pyparsing")
"""What the package needs in the browser besides Python itself."""
ASSISTANCE = ("lsprotocol", "attr", "attrs", "cattrs", "typing_extensions")
"""What assistance while typing needs too; a page without it is written where they are not installed."""
LEFT_OUT = frozenset({"tests", "__pycache__", "build", "benchmarks", "testing", "docs", "examples"})
"""Folders that are not needed there."""
KINDS = frozenset({".py", ".lark", ".dl", ".json", ".css", ".js", ".typed"})
ASSETS = ("playground.js", "playground.css", "editor.js", "codemirror.js", "codemirror.LICENSE", "worker.js")
HERE = Path(__file__).resolve().parent
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
    parser.add_argument(
        "--examples",
        metavar="DIR",
        help="programs to offer (default: those of this project, where they are installed)",
    )


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
    """Have the modules compiled here, once: else each reader's browser does, for some seconds before the first explanation."""
    node = shutil.which("node")
    left = "modules are left as text, and the page takes some seconds longer to start"
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
    """The page; the report that it shows may run its own script and style and nothing else."""
    from ...viz.html.page import asset_hashes

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
    """Pyodide as npm has it.

    Raises:
        InputError: there is no npm, or it cannot fetch.
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
            error(f"'{source}' is no Pyodide: there is no '{missing[0]}'", code="no-pyodide").help(
                f"npm's package '{PYODIDE}' has it"
            )
        )
    target.mkdir(exist_ok=True)
    for name in PYODIDE_FILES:
        shutil.copyfile(source / name, target / name)


# -- what runs in it


def _package() -> bytes:
    """This package and what it needs, as a zip archive; the same for the same files."""
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
    """The files of a package: folders that are no packages, as a checkout has beside them, are left out."""
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
    """Programs by name; none if there is no such folder."""
    return [
        {"name": path.name, "text": path.read_text(encoding="utf-8")}
        for path in sorted(folder.glob("*.mlir"))
    ]


# What the page asks of Python: one request in, one answer out, both JSON. Runs in the browser's worker, and anywhere else.
#
# A request names what to do and holds all that the answer depends on: the program, the options, the pipeline, the picture. Commands are
# those of the command line, run in this process on a file in the current directory; assistance while typing is the language server's
# session, where `lsprotocol` is there.

PROGRAM = "program.mlir"
Request = dict[str, Any]
Answer = dict[str, Any]


class _Stream(io.TextIOWrapper):
    """Text that commands write, as they would to a terminal."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="surrogateescape", write_through=True)

    def text(self) -> str:
        self.flush()
        data = self.buffer
        assert isinstance(data, io.BytesIO)
        return data.getvalue().decode("utf-8", "replace")


def answer(request: str) -> str:
    """The answer to a request, both as JSON."""
    asked: Request = json.loads(request)
    return json.dumps(ANSWERS[asked["do"]](asked))


def _command(*words: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    from ..main import main

    out, err = _Stream(), _Stream()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(words))
    return code, out.text(), err.text()


def _write(asked: Request) -> None:
    with open(PROGRAM, "w", encoding="utf-8", errors="replace") as file:
        file.write(asked["program"])


def _taken(path: str) -> str:
    """What a command wrote to a file, which is removed; nothing if it wrote none."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    os.remove(path)
    return text


# -- panes


def _explain(asked: Request) -> Answer:
    _write(asked)
    code, out, err = _command("explain", PROGRAM, "--isolated", *asked["flags"])
    return {"text": out + err, "code": code}


def _report(asked: Request) -> Answer:
    _write(asked)
    code, out, err = _command("report", PROGRAM, "-o", "report.html", "--isolated", *asked["flags"])
    return {"html": _taken("report.html"), "text": out + err, "code": code}


_DUMP = re.compile(r"^// -----// IR Dump After .*?(?: Failed)? \(([^()]*)\) ?.*//----- //$", re.MULTILINE)

_MESSAGE = re.compile(rf"^(?={re.escape(PROGRAM)}:\d+:\d+: )", re.MULTILINE)
"""Where what is said about the program begins, behind a dump."""


def _passes(asked: Request) -> Answer:
    """The program behind each pass of a pipeline; the first stage is the program as printed."""
    from ..opt import main as opt

    _write(asked)
    pipeline = asked["pipeline"].strip()
    if not pipeline.startswith("builtin.module("):
        pipeline = f"builtin.module({pipeline})"
    out, err = _Stream(), _Stream()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = opt(
            [
                PROGRAM,
                "--allow-unregistered-dialect",
                f"--pass-pipeline={pipeline}",
                "--mlir-print-ir-after-all",
                "--mlir-print-ir-module-scope",
            ]
        )
        printed = _Stream()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(_Stream()):
            opt([PROGRAM, "--allow-unregistered-dialect"])
    said = err.text()
    found = list(_DUMP.finditer(said))
    ends = [one.start() for one in found[1:]] + [len(said)] * bool(found)
    stages = [{"name": "the program", "text": printed.text().strip()}]
    messages = [said[: found[0].start()] if found else said]
    for one, end in zip(found, ends, strict=True):
        text, *more = _MESSAGE.split(said[one.end() : end], maxsplit=1)
        stages.append({"name": one[1], "text": text.strip()})
        messages += more
    return {"stages": stages if printed.text() else [], "text": "\n".join(messages).strip(), "code": code}


def _fix(asked: Request) -> Answer:
    """What `fix` would change, and the program with it."""
    _write(asked)
    code, out, err = _command("fix", PROGRAM, "--isolated", "-o", "fixed.mlir", *asked["flags"])
    fixed = _taken("fixed.mlir")
    return {"text": out + err, "program": fixed if fixed != asked["program"] else "", "code": code}


def _memory(asked: Request) -> Answer:
    _write(asked)
    more = ["--try"] if asked.get("try") else []
    code, out, err = _command("memory", PROGRAM, "--isolated", "--seconds", "2", *more)
    _command("memory", PROGRAM, "--isolated", "--seconds", "2", "--format", "svg", "-o", "memory.svg", *more)
    return {"text": out + err, "svg": _taken("memory.svg"), "code": code}


def _picture(asked: Request) -> Answer:
    _write(asked)
    words = ["graph", PROGRAM, "--isolated", "--kind", asked["kind"], "-o", "picture.svg", *asked["flags"]]
    if asked.get("function"):
        words += ["--function", asked["function"]]
    if asked.get("bufferized"):
        words += [
            "--after",
            "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}",
        ]
    code, out, err = _command(*words)
    return {"svg": _taken("picture.svg"), "text": out + err, "code": code}


# -- assistance while typing

_session: list[Session] = []


def _current(asked: Request) -> Session:
    from ...lsp.session import Session
    from ...lsp.settings import EditorSettings

    if not _session:
        _session.append(Session(PROGRAM, asked["program"], settings=EditorSettings()))
    session = _session[0]
    if session.text != asked["program"]:
        session.update(asked["program"], session.version + 1)
    return session


def _plain(item: object) -> Any:
    """What the language server's types say, as JSON has it."""
    from lsprotocol.converters import get_converter

    return get_converter().unstructure(item)


def _assist(asked: Request) -> Answer:
    """Diagnostics with what can be done about them, hints behind values, and colours."""
    try:
        from lsprotocol import types as lsp

        from ...lsp import answers
    except ImportError:
        return {"missing": True}
    session = _current(asked)
    lines = asked["program"].count("\n") + 1
    everything = lsp.Range(lsp.Position(0, 0), lsp.Position(lines, 0))
    found = []
    for diagnostic in session.diagnostics(PROGRAM):
        actions = []
        for action in session.code_actions(PROGRAM, diagnostic.range):
            changes = action.edit.changes if action.edit is not None else None
            if changes and any(d.code == diagnostic.code for d in action.diagnostics or [diagnostic]):
                actions.append({"title": action.title, "edits": _plain(next(iter(changes.values())))})
        found.append({**_plain(diagnostic), "actions": actions})
    return {
        "diagnostics": found,
        "hints": _plain(session.inlay_hints(everything)),
        "tokens": session.semantic_tokens(),
        "types": list(answers.TOKEN_TYPES),
    }


def _hover(asked: Request) -> Answer:
    from lsprotocol import types as lsp

    from ...lsp import answers

    found = _current(asked).at(lsp.Position(asked["line"], asked["character"]), answers.hover)
    if found is None:
        return {"text": ""}
    return {"text": _plain(found)["contents"]["value"]}


def _complete(asked: Request) -> Answer:
    from lsprotocol import types as lsp

    return {"items": _plain(_current(asked).completions(lsp.Position(asked["line"], asked["character"])))}


def _format(asked: Request) -> Answer:
    return {"edits": _plain(_current(asked).format())}


ANSWERS: dict[str, Callable[[Request], Answer]] = {
    "explain": _explain,
    "report": _report,
    "passes": _passes,
    "fix": _fix,
    "memory": _memory,
    "picture": _picture,
    "assist": _assist,
    "hover": _hover,
    "complete": _complete,
    "format": _format,
}
