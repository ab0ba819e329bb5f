"""Helpers for tests of operations: parse, verify, print.

Rejected programs of a dialect are in `data/DIALECT_rejected.mlir`. A frame there is a program with the word BODY in it;
it is followed by bodies, each under the first error of its program:

    // frame:
    func.func @f(%x: f32) {
    BODY
    }

    // error: 'arith.addf' op ...
      "arith.addf"(%x) : (f32) -> f32

A test of `rejected_program` and `message` in `test_DIALECT.py` runs on each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from bufferize.ir.source.diagnostics import ParseError, VerifyError
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module
from bufferize.ir.verifier import verify

DATA = Path(__file__).parent / "data"
PART = re.compile(r"^// (frame|error): ?(.*)\n((?:(?!// (?:frame|error):).*\n?)*)", re.MULTILINE)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "rejected_program" in metafunc.fixturenames:
        dialect = metafunc.module.__name__.rpartition("test_")[2]
        metafunc.parametrize(("rejected_program", "message"), rejected_programs(dialect))


def rejected_programs(dialect: str) -> list[tuple[str, str]]:
    """(program, first error) of each body in the file of a dialect, in order."""
    frame = ""
    found: list[tuple[str, str]] = []
    for kind, message, text in PART.findall((DATA / f"{dialect}_rejected.mlir").read_text("utf-8")):
        body = text.strip("\n")
        if kind == "frame":
            frame = body
        else:
            found.append((frame.replace("BODY", body), message))
    return found


def _round_trip(text: str) -> str:
    module = parse_text(text, allow_unregistered=True)
    verify(module, allow_unregistered=True)
    custom = print_module(module)
    generic = print_module(module, generic=True)
    again = parse_text(generic, allow_unregistered=True)
    verify(again, allow_unregistered=True)
    assert print_module(again) == custom, "generic form reads back as something else"
    assert print_module(parse_text(custom, allow_unregistered=True)) == custom
    return custom.rstrip("\n") + "\n"


def _first_error(text: str) -> str:
    try:
        module = parse_text(text, allow_unregistered=True)
        verify(module, allow_unregistered=True)
    except ParseError as failure:
        return failure.diagnostic.message
    except VerifyError as failure:
        return failure.diagnostic.message
    return ""


@pytest.fixture
def round_trip() -> Callable[[str], str]:
    """The text of a program after parsing and printing; its generic form must be equivalent."""
    return _round_trip


@pytest.fixture
def first_error() -> Callable[[str], str]:
    """The first error of a program, or an empty string."""
    return _first_error
