"""Wrong programs made by hand, each with one idea: none is proved, and what is asked is as recorded in `answers.txt`."""

import pytest

from .answers import ANSWERS, TRAPS, answer, forged, program


@pytest.mark.parametrize("name", TRAPS)
def test_a_wrong_program_is_not_proved(name):
    before, after = map(program, TRAPS[name])
    proof, lines = answer(before, after)
    assert not proof.proved
    assert not any("Error" in question.text for question in proof.questions)
    assert [*lines, f"  forged: {forged(before, after)}"] == ANSWERS[name]
    assert "  forged: accepted" not in ANSWERS[name]


NOT_FOLLOWED = {
    "empty", "callee-frees-under-a-condition-and-the-caller-never", "only-declarations-one-defined", "indirect-writes", "generic-atomic",
    "free-both-of-a-choice", "free-other-of-a-choice", "stride-zero-argument", "strides-overlap-argument", "layout-map-aliases",
    "local-pointer-escapes-then-freed", "memref-of-memref-written-through", "free-callee-conditional",
    "zero-sized-dynamic-addresses", "zero-sized-false", "zero-sized-true", "two-results-of-a-call-are-one-buffer", "swapped-buffers-become-new-ones", "loop-carries-the-result-of-a-declaration",
    "result-of-a-declaration-carried-and-written-otherwise",
}  # fmt: skip
"""Where nothing is compared, memory is written whose elements share places, addresses of empty buffers are compared, or memory is not followed."""


@pytest.mark.parametrize("name", TRAPS)
def test_what_did_not_change_is_proved(name):
    proof, lines = answer(*(program(TRAPS[name][0]) for _ in range(2)), leaks=False)
    assert proof.proved or name in NOT_FOLLOWED
    assert lines == ANSWERS[f"same {name}"]
