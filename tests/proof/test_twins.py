"""Programs, correct variations of them, and wrong twins: `twins.mlir`. The correct ones are proved; of the others, what is asked is of the kind stated.

A section has a program, after `=>` what it may become (itself, if there is nothing), and variations of that:

    // right: old text => new text
    // wrong (bounds): old text => new text ;; more old text => more new text
    // open (loop): old text => new text      (nothing is wrong, but the prover does not follow it)
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bufferize.proof.check import ProofOfProgram, prove_modules
from bufferize.proof.checker import certificate_of, digest

from .answers import checked, program

TWINS = {
    name: text
    for part in (Path(__file__).parent / "twins.mlir").read_text("utf-8").split("// -----\n// ")[1:]
    for name, _, text in (part.partition("\n"),)
}
VARIATION = re.compile(r"^// (right|wrong|open)(?: \((.*)\))?: (.*)\n", re.MULTILINE)


def variations(text: str) -> Iterator[tuple[str, str, str]]:
    """Each program that the first one is compared with, what changed in it, and the kinds of questions, if it is wrong."""
    before, _, after = VARIATION.sub("", text).partition("// =>\n")
    after = after or before
    yield after, "nothing", ""
    for how, kinds, change in VARIATION.findall(text):
        changed = after
        for part in change.replace("\\n", "\n").split(" ;; "):
            old, new = part.split(" => ") if " => " in part else (part.removesuffix(" =>"), "")
            assert old in changed, old
            changed = changed.replace(old, new)
        yield changed, change, kinds if how != "right" else ""


def proof_of(before: str, after: str) -> ProofOfProgram:
    """What is answered; leaks matter."""
    return prove_modules(program(before), program(after), leaks=True)


def asked(before: str, after: str) -> str:
    """The kinds of questions that stay open; nothing if the program is proved."""
    proof = proof_of(before, after)
    assert not any("Error" in question.text for question in proof.questions), proof.questions
    return " ".join(sorted({question.kind for question in proof.questions}))


@cache
def certified(before: str, after: str) -> dict[str, Any]:
    return certificate_of(program(before), program(after), proof_of(before, after), leaks=True)


CASES = [(name, *case) for name, text in TWINS.items() for case in variations(text)]
IDS = [f"{name}-{k}" for k, (name, *_) in enumerate(CASES)]


def source(name: str) -> str:
    return VARIATION.sub("", TWINS[name]).partition("// =>\n")[0]


@pytest.mark.parametrize(("name", "after", "change", "kinds"), CASES, ids=IDS)
def test_right_twins_are_proved_and_wrong_ones_are_not(name, after, change, kinds):
    assert asked(source(name), after) == kinds, change


@pytest.mark.parametrize(("name", "after", "change", "kinds"), CASES, ids=IDS)
def test_certificates_of_right_twins_are_accepted_and_refused_for_wrong_ones(name, after, change, kinds):
    """For a wrong one the certificate of the program that it is a variation of is presented."""
    if not kinds:
        answer = checked(program(source(name)), program(after), certified(source(name), after))
        assert answer == "accepted", change
        return
    right = next(right for right, *_ in variations(TWINS[name]))
    forged = {**certified(source(name), right), "after": digest(program(after))}
    assert checked(program(source(name)), program(after), forged).startswith("refused"), change
