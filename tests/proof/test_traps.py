"""Wrong programs made by hand, each with one idea: none is proved."""

from pathlib import Path

import bufferize
import pytest

TEXT = (Path(__file__).parent / "traps.mlir").read_text("utf-8")
TRAPS = {}
for part in TEXT.split("// -----\n// ")[1:]:
    name, _, pair = part.partition("\n")
    TRAPS[name] = pair.split("// =>\n")


@pytest.mark.parametrize("name", TRAPS)
def test_a_wrong_program_is_not_proved(name):
    before, after = (bufferize.parse(text, allow_unregistered=True) for text in TRAPS[name])
    proof = bufferize.prove(before, after)
    assert not proof.proved
    assert not any("Error" in question.text for question in proof.questions)


NOT_FOLLOWED = {
    "empty", "only-declarations-one-defined", "indirect-writes", "generic-atomic",
    "free-both-of-a-choice", "free-other-of-a-choice", "stride-zero-argument", "strides-overlap-argument", "layout-map-aliases",
    "local-pointer-escapes-then-freed", "memref-of-memref-written-through", "free-callee-conditional",
    "zero-sized-dynamic-addresses", "zero-sized-false", "zero-sized-true", "swapped-buffers-become-new-ones",
}  # fmt: skip
"""Where nothing is compared, memory is written whose elements share places, addresses of empty buffers are compared, or memory is not followed."""


@pytest.mark.parametrize("name", [name for name in TRAPS if name not in NOT_FOLLOWED])
def test_what_did_not_change_is_proved(name):
    program = bufferize.parse(TRAPS[name][0], allow_unregistered=True)
    assert bufferize.prove(program, program.clone(), leaks=False).proved
