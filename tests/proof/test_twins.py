"""Programs, correct variations of them, and wrong twins: `twins.mlir`. The correct ones are proved; of the others, what is asked is of the kind stated.

A section has a program, after `=>` what it may become (itself, if there is nothing), and variations of that:

    // right: old text => new text
    // wrong (bounds): old text => new text ;; more old text => more new text
    // open (loop): old text => new text      (nothing is wrong, but the prover does not follow it)
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bufferize.proof.check import prove_modules

from .answers import program

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


def asked(before: str, after: str) -> str:
    """The kinds of questions that stay open; nothing if the program is proved. Leaks matter in each one."""
    proof = prove_modules(program(before), program(after), leaks=True)
    assert not any("Error" in question.text for question in proof.questions), proof.questions
    return " ".join(sorted({question.kind for question in proof.questions}))


CASES = [(name, *case) for name, text in TWINS.items() for case in variations(text)]


@pytest.mark.parametrize(
    ("name", "after", "change", "kinds"), CASES, ids=[f"{name}-{k}" for k, (name, *_) in enumerate(CASES)]
)
def test_right_twins_are_proved_and_wrong_ones_are_not(name, after, change, kinds):
    before = VARIATION.sub("", TWINS[name]).partition("// =>\n")[0]
    assert asked(before, after) == kinds, change
