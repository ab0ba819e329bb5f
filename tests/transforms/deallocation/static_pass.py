"""`-buffer-deallocation-static`, as tests run it."""

from bufferize.cli.fuzz_command import transform
from bufferize.ir.text.parser import parse_text
from bufferize.ir.text.printer import print_module

PASS = "-buffer-deallocation-static"


def freed(text: str) -> str:
    """The program after the pass; a second run changes nothing."""
    module = parse_text(text)
    transform(module, (PASS,), "")
    once = print_module(module)
    again = parse_text(once)
    transform(again, (PASS,), "")
    assert print_module(again) == once
    return once
