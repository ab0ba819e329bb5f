"""Helpers for tests of operations: read, check, print."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bufferize.ir.diagnostics import ParseError, VerifyError
from bufferize.ir.parser import parse_text
from bufferize.ir.printer import print_module
from bufferize.ir.verifier import verify


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
    """The text of a program after reading and printing it; its generic form must mean the same."""
    return _round_trip


@pytest.fixture
def first_error() -> Callable[[str], str]:
    """The first thing wrong with a program, or an empty string."""
    return _first_error
