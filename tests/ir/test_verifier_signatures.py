"""What is verified once for each signature looks at nothing but the signature.

Each operation of many programs is built again, alone, with other values of the same types: no block, no regions, no uses. The
checks that do not say that they look around must find what they found in the program: nothing.
"""

from pathlib import Path

import pytest
from bufferize.ir.program.core import Block, Operation
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.ir.text.parser import parse_text
from bufferize.ir.verifier import verify

TESTS = Path(__file__).parents[1]
FILES = sorted([*TESTS.rglob("*.mlir"), *(TESTS.parent / "examples").glob("*.mlir")])


def alone(op: Operation) -> Operation:
    counterpart = op.__class__.__new__(op.__class__)
    values = [Block().add_argument(type) for type in op.operand_types]
    Operation.__init__(counterpart, values, op.result_types, op.attributes, op.properties)
    return counterpart


def test_checks_look_at_the_signature_unless_they_say_more():
    looked_at = 0
    for text in [text for file in FILES for text in file.read_text(encoding="utf-8").split("// -----")]:
        try:
            module = parse_text(text, allow_unregistered=True)
            verify(module, allow_unregistered=True)
        except BufferizeError:
            continue
        for op in module.walk():
            if op.definition is None:
                continue
            counterpart = alone(op)
            for trait in op.definition.traits:
                if not trait.looks_around:
                    assert trait.check(counterpart) is None, op
                    looked_at += 1
            check = getattr(op.__class__, "verify", None)
            if check is not None and not op.verify_looks_around:
                assert check(counterpart) is None, op
                looked_at += 1
    assert looked_at > 1000


def test_what_a_valid_function_left_does_not_vouch_for_a_name_of_another_kind():
    function = '"func.func"() <{{sym_name = {}, function_type = () -> ()}}> ({{ "func.return"() : () -> () }}) : () -> ()\n'
    with pytest.raises(BufferizeError, match="attribute 'sym_name' failed to satisfy constraint"):
        verify(parse_text(function.format('"a"') + function.format("3 : i64")))
