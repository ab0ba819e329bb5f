"""What the prover answers to recorded pairs of programs, word for word: `answers.txt`, one section for each pair.

A section lists the functions with what was compared, the open questions, the contract for callers, and each comparison:
the two terms (one if they are identical) and the rules by which they correspond. Each line of the prover that these
pairs execute has a share in them, so a change of its behaviour shows.

After an intended change, `python tests/proof/answers.py` writes the file anew; read the difference. `same` in front of
a section's name is the proof that the first program of the pair is equivalent to itself.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

from bufferize import parse, run_passes
from bufferize.ir.program.core import Operation
from bufferize.proof import refine, terms
from bufferize.proof.check import FunctionAnswer, ProofOfProgram, prove_modules
from bufferize.proof.checker import Refused, certificate_of, check_certificate, digest
from bufferize.proof.terms import Term
from bufferize.semantics.frees import leaks_matter

HERE = Path(__file__).parent
FILE = HERE / "answers.txt"
RECORDS = HERE.parent / "transforms"
RECORDED = (
    "../proof/pairs",
    "../proof/recorded",
    "bufferize/programs",
    *(
        f"data/{name}"
        for name in [
            "buffer-deallocation",
            "buffer-hoisting",
            "buffer-loop-hoisting",
            "canonicalize",
            "canonicalize.aggressive",
            "canonicalize.arith",
            "canonicalize.cf",
            "canonicalize.corners",
            "canonicalize.edges",
            "canonicalize.indices",
            "canonicalize.linalg",
            "canonicalize.memref",
            "canonicalize.others",
            "canonicalize.scf",
            "canonicalize.scf_if",
            "canonicalize.shape",
            "canonicalize.sizes",
            "canonicalize.slices",
            "canonicalize.tensor",
            "canonicalize.vector",
            "canonicalize.vector_parts",
            "cse",
            "eliminate-empty-tensors",
            "empty-tensor-to-alloc-tensor",
            "expand-realloc",
            "fold-memref-alias-ops",
            "inline",
            "loop-invariant-code-motion",
            "promote-buffers-to-stack",
            "resolve-shaped-type-result-dims",
            "symbol-dce",
            "test-tensor-copy-insertion",
            "test-tensor-copy-insertion.boundaries",
        ]
    ),
)
"""Files of `RECORDS` with pairs of programs."""

BUFFERIZED = ("necessary", "situations")
"""Files of programs, of `tests/explain`, that are compared with what One-Shot Bufferize makes of them."""

TRAPS = {
    name: tuple(pair.split("// =>\n"))
    for part in (HERE / "traps.mlir").read_text("utf-8").split("// -----\n// ")[1:]
    for name, _, pair in (part.partition("\n"),)
}
"""Pairs of programs of which the second is wrong."""

MAX_TEXT = 110
"""Longer terms are cut, and identified by a checksum."""


def recorded(file: str) -> Iterator[tuple[str, str, str]]:
    """The pairs of a file of `RECORDS`, with their names; a program alone is compared with itself."""
    for i, part in enumerate((RECORDS / f"{file}.mlir").read_text("utf-8").split("// -----\n")):
        before, _, after = part.partition("// =>\n")
        yield f"{file} {i}", before, after or before


def to_bufferize(file: str) -> Iterator[tuple[str, str]]:
    """The programs of a file of `BUFFERIZED`, with their names."""
    for i, part in enumerate((HERE.parent / f"explain/{file}.mlir").read_text("utf-8").split("// -----\n")):
        yield f"bufferized {file} {i}", part


def program(text: str) -> Operation:
    return parse(text, allow_unregistered=True)


def _shown(value: object) -> str:
    if isinstance(value, Term):
        return term_text(value)
    if isinstance(value, (tuple, list)):
        return "[" + " ".join(map(_shown, value)) + "]"
    if isinstance(value, Operation):
        return value.name
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))


_NUMBERED = ("junk", "pointer")
"""Terms that are only told apart by a number."""

_texts: dict[Term, str] = {}


def clear_texts() -> None:
    """Forget the texts of terms that were dropped."""
    _texts.clear()


def term_text(term: Term) -> str:
    """The whole term as text, or its beginning with a checksum. Shared parts are written once."""
    pending = [term]
    while pending:
        top = pending[-1]
        inner = [arg for arg in (*top.args, *(top.shape or ()), *_inside(top.attr)) if arg not in _texts]
        if inner:
            pending += inner
            continue
        pending.pop()
        if top in _texts:
            continue
        text = (
            top.op
            if top.attr is None or top.op in _NUMBERED
            else _shown(top.attr)
            if top.op == "const"
            else f"{top.op}<{_shown(top.attr)}>"
        )
        if top.args:
            text += f"({', '.join(_texts[arg] for arg in top.args)})"
        if top.shape is not None and top.op in (
            "tmp",
            "base",
            "undef",
            "blank",
            "fill",
            "hole",
            "result",
            "op",
        ):
            text += f":{'x'.join(_texts[size] for size in top.shape)}"
        if len(text) > MAX_TEXT:
            text = f"{text[: MAX_TEXT // 2]}..{crc32(text.encode()):08x}"
        _texts[top] = text
    return _texts[term]


def _inside(attr: Any) -> Iterator[Term]:
    if isinstance(attr, Term):
        yield attr
    elif isinstance(attr, (tuple, list)):
        for part in attr:
            yield from _inside(part)


@contextmanager
def comparisons() -> Iterator[list[str]]:
    """Collects the comparisons of all proofs inside, as lines."""
    found: list[str] = []
    compare, kept = refine.Refinement.compare, terms.MAX_TERMS_KEPT

    def recorded(self: refine.Refinement, original: Term, transformed: Term) -> refine.Mismatch | None:
        answer = compare(self, original, transformed)
        left, right = term_text(original), term_text(transformed)
        rules = Counter(self.derivations[-1] or ())
        how = ", ".join(f"{count} {rule}" for rule, count in sorted(rules.items()))
        if original is transformed:
            found.extend([left] if left != "begin" else [])
        elif answer is None:
            found.append(f"{left} = {right} by {how}")
        else:
            found.append(
                f"{left} /= {right}: {term_text(answer.original)} /= {term_text(answer.transformed)}"
            )
        return answer

    refine.Refinement.compare, terms.MAX_TERMS_KEPT = (
        recorded,
        0,
    )  # the order of sums depends on earlier terms
    clear_texts()
    try:
        yield found
    finally:
        refine.Refinement.compare, terms.MAX_TERMS_KEPT = compare, kept


def answer(
    before: Operation, after: Operation, leaks: bool | None = None
) -> tuple[ProofOfProgram, list[str]]:
    """The proof of a pair, and its section of `answers.txt`."""
    with comparisons() as compared:
        proof = prove_modules(before, after, leaks=leaks)
    lines = [f"module: {', '.join(proof.compared)}"] if proof.compared else []
    for outcome in proof.outcomes:
        lines += _of_function(outcome)
    return proof, lines + [f"  {line}" for line in compared]


def _in_order(stated: object) -> object:
    """Sets of names as text, in an order that does not depend on hashes."""
    return f"{{{', '.join(sorted(map(repr, stated)))}}}" if isinstance(stated, set) and stated else stated


def _of_function(outcome: FunctionAnswer) -> list[str]:
    contract = outcome.contract
    stated = {} if contract is None else {k: getattr(contract, k) for k in contract.__slots__}
    stated |= {"at once": outcome.at_once}
    promised = "".join(
        f" {k} {_in_order(v)}" for k, v in stated.items() if v not in ({}, set()) and (k, v) != ("read", None)
    )
    lines = [f"{outcome.function}: {outcome.verdict}: {', '.join(outcome.compared)};{promised}"]
    for question in outcome.questions:
        around = " ".join(op.name for op in (question.op, question.other) if op is not None)
        lines.append(f"  ? {question.kind}: {question.text} ({around})")
    return lines


def certified(before: Operation, after: Operation, leaks: bool | None = None) -> dict[str, Any] | None:
    """The certificate, as it is read from a file; None if the pair is not proved."""
    leaks = leaks_matter(before, after) if leaks is None else leaks
    proof = prove_modules(before, after, leaks=leaks)
    return json.loads(json.dumps(certificate_of(before, after, proof, leaks))) if proof.proved else None


def checked(before: Operation, after: Operation, certificate: dict[str, Any]) -> str:
    """What the checker says of a certificate."""
    try:
        check_certificate(before, after, certificate)
    except Refused as refused:
        return f"refused: {refused}"
    return "accepted"


def forged(before: Operation, after: Operation) -> str:
    """What the checker says of the certificate that nothing changed, presented for another program."""
    certificate = certified(before, before.clone(), leaks=False)
    if certificate is None:
        return "not proved"
    assert checked(before, before.clone(), certificate) == "accepted"
    return checked(
        before, after, {**certificate, "leaks": leaks_matter(before, after), "after": digest(after)}
    )


def edited(certificate: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Certificates with one thing changed, by its place."""
    pending: list[tuple[str, Any]] = [("", certificate)]
    while pending:
        place, part = pending.pop()
        keys = list(part) if isinstance(part, dict) else range(min(len(part), 3))
        for key in keys:
            value, around = part[key], f"{place}/{key}"
            if isinstance(value, (dict, list)):
                pending.append((around, value))
            for how, new in _other_values(value):
                part[key] = new
                yield f"{around} {how}", certificate
                part[key] = value
        if isinstance(part, dict) and part is not certificate.get("contract"):
            part["more"] = 1
            yield f"{place} more", certificate
            del part["more"]
        elif isinstance(part, list) and part:
            last = part.pop()
            yield f"{place} less", certificate
            part += [last, last]
            yield f"{place} twice", certificate
            part.pop()


def _other_values(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, bool):
        yield "not", not value
        yield "1", int(value)
    elif isinstance(value, int):
        yield "+1", value + 1
    elif isinstance(value, str):
        yield "congruence", "congruence" if value != "congruence" else "same"
    if value is not None:
        yield "none", None


EXAMPLES = (HERE / "programs.mlir").read_text("utf-8").split("// -----\n")


def bufferized(text: str) -> tuple[Operation, Operation]:
    """A program before and after One-Shot Bufferize."""
    before, after = program(text), program(text)
    options = "bufferize-function-boundaries allow-return-allocs-from-loops"
    run_passes(after, [f"one-shot-bufferize={options}"])
    return before, after


def refusals(text: str) -> list[str]:
    """What the checker says of changed certificates of a program."""
    pair = bufferized(text)
    certificate = certified(*pair)
    assert certificate is not None and checked(*pair, certificate) == "accepted"
    return [f"  {how}: {checked(*pair, wrong)}" for how, wrong in edited(certificate)]


def sections() -> Iterator[tuple[str, list[str]]]:
    """What the file should hold."""
    for name, (before, after) in TRAPS.items():
        wrong = program(before), program(after)
        yield name, [*answer(*wrong)[1], f"  forged: {forged(*wrong)}"]
        yield f"same {name}", answer(program(before), program(before), leaks=False)[1]
    for file in RECORDED:
        for name, before, after in recorded(file):
            yield name, answer(program(before), program(after))[1]
    for file in BUFFERIZED:
        for name, text in to_bufferize(file):
            yield name, answer(*bufferized(text))[1]
    for number, text in enumerate(EXAMPLES):
        yield f"certificate {number}", refusals(text)


ANSWERS: dict[str, list[str]] = {}
"""The sections of the file."""
for _section in FILE.read_text("utf-8").split("== ")[1:] if FILE.exists() else ():
    _name, *_lines = _section.splitlines()
    ANSWERS[_name] = _lines


if __name__ == "__main__":
    FILE.write_text("".join("\n".join([f"== {name}", *lines, ""]) for name, lines in sections()), "utf-8")
