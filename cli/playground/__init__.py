"""The Python side of the playground: one JSON request in, one JSON answer out. Runs in the browser's worker, or
anywhere else.

A request names an action and contains all inputs of the answer: the program, the options, the pipeline, the picture.
Commands are those of the command line, run in this process on a file in the current directory; editor assistance is the
language server's session, if `lsprotocol` is available.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...lsp.session import Session

PROGRAM = "program.mlir"
Request = dict[str, Any]
Answer = dict[str, Any]


class _Stream(io.TextIOWrapper):
    """Captures a command's output as if to a terminal."""

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
    """The contents of a file written by a command, which is removed; empty if there is none."""
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
"""The start of messages about the program, after a dump."""


def _passes(asked: Request) -> Answer:
    """The program after each pass of a pipeline; the first stage is the program as printed."""
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
    """The edits of `fix`, and the resulting program."""
    _write(asked)
    code, out, err = _command("fix", PROGRAM, "--isolated", "-o", "fixed.mlir", *asked["flags"])
    fixed = _taken("fixed.mlir")
    return {"text": out + err, "program": fixed if fixed != asked["program"] else "", "code": code}


def _memory(asked: Request) -> Answer:
    """The plans as text, and their picture if there are any."""
    from ...viz.memory_plan import NOTHING

    _write(asked)
    more = ["--try"] if asked.get("try") else []
    code, out, err = _command("memory", PROGRAM, "--isolated", "--seconds", "2", *more)
    _command("memory", PROGRAM, "--isolated", "--seconds", "2", "--format", "svg", "-o", "memory.svg", *more)
    svg = _taken("memory.svg")
    return {"text": out + err, "svg": "" if NOTHING in svg else svg, "code": code}


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


# -- editor assistance

_session: list[Session] = []


def _current(asked: Request) -> Session:
    from ...lsp.document import EditorSettings
    from ...lsp.session import Session

    if not _session:
        _session.append(Session(PROGRAM, asked["program"], settings=EditorSettings()))
    session = _session[0]
    if session.text != asked["program"]:
        session.update(asked["program"], session.version + 1)
    return session


def _plain(item: object) -> Any:
    """The language server's types as plain JSON values."""
    from lsprotocol.converters import get_converter

    return get_converter().unstructure(item)


def _assist(asked: Request) -> Answer:
    """Diagnostics with code actions, inlay hints, and semantic tokens."""
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
