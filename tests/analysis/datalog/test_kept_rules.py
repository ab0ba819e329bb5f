"""The parsed rules that are shipped are those of their files, and restoring them gives what parsing gives."""

import os
from pathlib import Path

import pytest
from bufferize.analysis.causes import RULES
from bufferize.analysis.datalog import kept_rules, program
from bufferize.analysis.datalog.parser import parse

FILES = sorted(Path(RULES).glob("*.dl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_shipped_rules_are_those_of_their_file(file: Path):
    content = file.read_bytes()
    made = kept_rules.text_of(parse(content.decode(), file.name), content)
    shipped = file.with_suffix(kept_rules.ENDING).read_text("utf-8")
    assert made == shipped, f"run: python -m bufferize.analysis.datalog.kept_rules {file}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_restored_rules_equal_parsed_rules(file: Path):
    assert kept_rules.kept(os.fspath(file)) == parse(file.read_text("utf-8"), os.fspath(file))


EVERYTHING = """
.extern size(x: value, n: number) modes bf
.input reads(use: operand, x: value)
.equivalence same(x: value, y: value)
.decl big(x: value, n: number)
.decl named(x: value, name: symbol)
// B1: a comment with "quotes"
big(x, n * 2 - 1) :- size(x, n), n > 3, n = count : { reads(_, x) }, !reads(_, x), same(x, _).
named(x, "a\\"b\\n") :- big(x, n), n != -1, n % 7 = sum m : { big(x, m), m < n / 2 }.
"""


def test_every_kind_of_premise_and_term_is_restored(tmp_path: Path):
    file = tmp_path / "mine.dl"
    file.write_text(EVERYTHING, "utf-8")
    parsed = parse(EVERYTHING, os.fspath(file))
    file.with_suffix(kept_rules.ENDING).write_text(kept_rules.text_of(parsed, file.read_bytes()), "utf-8")
    assert kept_rules.kept(os.fspath(file)) == parsed


def test_an_edited_file_is_parsed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "mine.dl"
    text = ".input p(x: number)\n.decl q(x: number)\nq(x) :- p(x).\n"
    file.write_text(text, "utf-8")
    kept = kept_rules.text_of(parse(text, os.fspath(file)), file.read_bytes())
    file.with_suffix(kept_rules.ENDING).write_text(kept, "utf-8")
    file.write_text(text + "q(x) :- p(y), x = y + 1.\n", "utf-8")
    monkeypatch.setattr(program, "_PACKAGE", os.fspath(tmp_path))
    assert kept_rules.kept(os.fspath(file)) is None
    assert [rule.id for rule in program.load_program(file).rules] == ["mine.q.1", "mine.q.2"]
