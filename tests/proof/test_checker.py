"""Certificates: what is proved has one that is accepted, and one that was changed anywhere is refused, with the step that fails."""

import copy
import random

import bufferize
import pytest
from bufferize.cli.main import main
from bufferize.ir.source.diagnostics import BufferizeError
from bufferize.proof.check import prove_modules
from bufferize.proof.checker import Refused, certificate_of, check_certificate

from .answers import ANSWERS, EXAMPLES, RECORDED, bufferized, certified, program, recorded, refusals


@pytest.mark.parametrize("file", RECORDED)
def test_what_is_proved_of_recorded_pairs_has_a_certificate(file):
    for _, *texts in recorded(file):
        before, after = map(program, texts)
        certificate = certified(before, after)
        if certificate is not None:
            check_certificate(before, after, certificate)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_a_changed_certificate_is_refused(number):
    """Each value in it is changed, left out, or repeated; `answers.txt` has the step that fails."""
    lines = refusals(EXAMPLES[number])
    assert lines == ANSWERS[f"certificate {number}"]
    assert not any("accepted" in line for line in lines)


def changed(certificate, random_: random.Random):
    """A certificate with one value changed, left out or said twice."""
    result = copy.deepcopy(certificate)
    places = []
    pending = [result]
    while pending:
        part = pending.pop()
        keys = list(part) if isinstance(part, dict) else range(len(part))
        for key in keys:
            places.append((part, key))
            if isinstance(part[key], (dict, list)):
                pending.append(part[key])
    part, key = random_.choice(places)
    value = part[key]
    if isinstance(part, list) and random_.random() < 0.4:
        if random_.random() < 0.5:
            del part[key]
        else:
            part.insert(key, copy.deepcopy(value))
    elif isinstance(value, bool):
        part[key] = not value
    elif isinstance(value, int):
        part[key] = value + random_.choice((-1, 1))
    elif isinstance(value, str):
        rules = ("same", "again", "congruence", "inserted", "undefined", "equal", "loop", "")
        part[key] = random_.choice([rule for rule in rules if rule != value])
    elif value is None:
        part[key] = []
    elif isinstance(part, dict):
        del part[key]
    else:
        part[key] = None
    return result


def random_refusals(count: int, seed: int) -> int:
    random_ = random.Random(seed)
    programs = [bufferized(text) for text in EXAMPLES]
    programs = [(before, after, certified(before, after)) for before, after in programs]
    made = 0
    while made < count:
        before, after, certificate = random_.choice(programs)
        wrong = changed(certificate, random_)
        if wrong == certificate:
            continue
        made += 1
        with pytest.raises(Refused, match=r"."):
            check_certificate(before, after, wrong)
    return made


@pytest.mark.long
def test_a_thousand_changed_certificates_are_refused():
    assert random_refusals(1000, 2) == 1000


def test_a_certificate_of_another_program_is_refused():
    (one, other), (_, wrong) = bufferized(EXAMPLES[0]), bufferized(EXAMPLES[1])
    with pytest.raises(Refused, match="the second program is a different one"):
        check_certificate(one, wrong, certified(one, other))


def test_what_is_not_proved_has_no_certificate():
    before = bufferize.parse("func.func @f(%a: i32) -> i32 { return %a : i32 }")
    after = bufferize.parse("func.func @f(%a: i32) -> i32 { %b = arith.addi %a, %a : i32\n return %b : i32 }")
    proof = prove_modules(before, after)
    with pytest.raises(BufferizeError):
        certificate_of(before, after, proof, False)


def test_the_command_writes_and_checks(tmp_path, capsys):
    program, certificate = tmp_path / "program.mlir", tmp_path / "certificate.json"
    program.write_text(EXAMPLES[0])
    assert main(["prove", str(program), "-o", str(certificate), "--quiet"]) == 0
    assert main(["prove", str(program), "--check", str(certificate)]) == 0
    assert capsys.readouterr().out.endswith("accepted\n")
    certificate.write_text(certificate.read_text().replace('"same"', '"again"', 1))
    assert main(["prove", str(program), "--check", str(certificate)]) == 1
    assert "refused: function" in capsys.readouterr().out
    assert main(["prove", str(program), "--check", str(tmp_path / "none")]) == 2


def test_a_certificate_that_leaves_leaks_out_is_refused_where_they_matter(tmp_path, capsys):
    before, after, certificate = (
        tmp_path / name for name in ("before.mlir", "after.mlir", "certificate.json")
    )
    text = "func.func @f() { %m = memref.alloc() : memref<4xf32> FREE return }"
    before.write_text(text.replace("FREE", "memref.dealloc %m : memref<4xf32>"))
    after.write_text(text.replace("FREE", ""))
    arguments = ["prove", str(before), "--against", str(after)]
    assert main([*arguments, "--leaks=no", "-o", str(certificate), "--quiet"]) == 0
    assert main([*arguments, "--leaks=no", "--check", str(certificate)]) == 0
    assert main([*arguments, "--check", str(certificate)]) == 1
    assert capsys.readouterr().out.endswith("refused: it does not say that no memory leaks\n")
    certificate.write_bytes(b"\xff\xfe")
    assert main([*arguments, "--check", str(certificate)]) == 1


@pytest.mark.parametrize("kind", [ZeroDivisionError, KeyError, RecursionError])
def test_what_the_checker_cannot_follow_is_refused(monkeypatch, kind):
    def fail(self: object) -> None:
        raise kind

    monkeypatch.setattr("bufferize.proof.checker._Check.run", fail)
    before = program("func.func @f() { return }")
    with pytest.raises(Refused):
        check_certificate(before, before.clone(), {})
