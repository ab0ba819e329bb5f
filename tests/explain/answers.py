"""What the commands print about small programs, word for word: `answers.txt`, a section for each program and command line.

After an intended change, `python tests/explain/answers.py` writes the answers of the file anew; read the difference. To
add a command line, add the line that names it and do the same. `FILE` stands for the program; the functions of what
is `joined` are explained separately, as those of long programs are.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from bufferize.cli import questions
from bufferize.cli.explain_text import all_kinds
from bufferize.cli.main import main

HERE = Path(__file__).parent
FILE = HERE / "answers.txt"
ROOT = HERE.parents[1]


def _situations() -> dict[str, str]:
    spec = importlib.util.spec_from_file_location("situations", HERE / "test_situations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: text for name, (text, _, _) in module.SAID.items()}


def _parts(path: str) -> dict[str, str]:
    """The parts of a file; of pairs, the first programs."""
    texts = (ROOT / path).read_text("utf-8").split("// -----\n")
    return {f"{Path(path).stem} {i}": text.partition("// =>\n")[0] for i, text in enumerate(texts)}


def _pages() -> dict[str, str]:
    return {
        f"{name} {which}": program.text
        for name, kind in all_kinds().items()
        for which, program in (("example", kind.page().example), ("instead", kind.page().instead))
    }


def _joined(texts: list[str]) -> str:
    """Several programs as one, with other names of functions."""
    return "\n".join(re.sub(r"@(\w+)", rf"@\1_{i}", text) for i, text in enumerate(texts))


def _in_threes(programs: dict[str, str]) -> dict[str, str]:
    texts = [text for text in programs.values() if "#" not in text]
    return {f"joined {i // 3}": _joined(texts[i : i + 3]) for i in range(0, len(texts), 3)}


PROGRAMS = {
    **{path.stem: path.read_text("utf-8") for path in sorted((ROOT / "examples").glob("*.mlir"))},
    **_situations(),
    **_parts("tests/transforms/bufferize/programs.mlir"),
    **_parts("tests/documents/buffer_deallocation_2020.mlir"),
    **_parts("tests/documents/ownership_2023.mlir"),
    **_parts("tests/explain/necessary.mlir"),
    **_parts("tests/explain/corners.mlir"),
    **_pages(),
    **_in_threes(_situations()),
}


def answer(name: str, command: str) -> list[str]:
    """The lines that a command prints about a program, and its exit code if that is not 0."""
    out = io.StringIO()
    short, together = questions.SHORT, questions.TOGETHER
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("t.mlir").write_text(PROGRAMS[name], "utf-8")
        if name.startswith("joined "):
            questions.SHORT, questions.TOGETHER = 0, 1
        try:
            with (
                mock.patch.dict(os.environ, COLUMNS="100"),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(out),
            ):
                code = main(command.replace("FILE", "t.mlir").split())
        finally:
            questions.SHORT, questions.TOGETHER = short, together
    lines = _as_lines(out.getvalue()) if "--format json" in command else out.getvalue().splitlines()
    return [line.rstrip() for line in lines if line.strip()] + ([f"exit code {code}"] if code else [])


def _as_lines(text: str) -> Iterator[str]:
    """JSON with one line for each entry of a list."""
    pending: list[tuple[str, object]] = [("", json.loads(text))]
    while pending:
        name, value = pending.pop()
        if isinstance(value, dict) and len(json.dumps(value)) > 200:
            pending += reversed([(f"{name}.{key}", entry) for key, entry in value.items()])
        elif isinstance(value, list) and len(json.dumps(value)) > 200:
            pending += reversed([(f"{name}.{i}", entry) for i, entry in enumerate(value)])
        else:
            yield f"{name} {json.dumps(value, ensure_ascii=False)}"


ANSWERS: dict[tuple[str, str], list[str]] = {}
"""The answers in the file, by program and command line."""
for _section in FILE.read_text("utf-8").split("== ")[1:] if FILE.exists() else ():
    _head, *_lines = _section.splitlines()
    _name, _, _command = _head.partition(" $ ")
    ANSWERS[_name, _command] = _lines


if __name__ == "__main__":
    os.environ["BUFFERIZE_NO_CACHE"] = "1"
    with FILE.open("w", encoding="utf-8") as out:
        for name, command in ANSWERS:
            print(f"== {name} $ {command}", *answer(name, command), sep="\n", file=out)
