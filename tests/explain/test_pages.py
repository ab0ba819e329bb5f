"""The page of each finding: its first program has it, its second has not, and it follows from the rules that the page names."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bufferize.analysis import causes
from bufferize.analysis.causes import CauseKind
from bufferize.analysis.datalog.program import Program
from bufferize.analysis.datalog.syntax import DatalogError, RuleLiteral
from bufferize.analysis.one_shot.result import ReasonKind
from bufferize.cli.explain_text import all_kinds, page_of
from bufferize.cli.main import main
from bufferize.explain.kinds import BY_CAUSE, BY_REASON, FINDINGS
from bufferize.explain.ownership import KINDS as OWNERSHIP
from bufferize.ir.declaration.declare import REGISTRY
from bufferize.ir.source.pages import Documented, PageProgram

KINDS = list(all_kinds().values())
IDS = [kind.id for kind in KINDS]
MARKED = {kind.id for kind in (*FINDINGS, *OWNERSHIP)} | {"in-place"}
"""Kinds of which the place in the program is labelled."""

DIALECT = {
    "__init__": """
from bufferize.ir.declaration.constraints import ANY_TYPE
from bufferize.ir.declaration.declare import operand, result
from bufferize.ir.program.core import Operation

class SortOp(Operation):
    name = "mine.sort"
    source = operand(ANY_TYPE)
    made = result(ANY_TYPE)
""",
    "models": """
from bufferize import Model
from . import SortOp

class SortModel(Model):
    def reads(self, operand, context):
        return True
    def writes(self, operand, context):
        return False
    def aliasing_values(self, operand, context):
        return []
    def allocates(self, result):
        return True

MODELS = {SortOp: SortModel()}
""",
    "rewrites": """
from bufferize import Rewrite
from bufferize.analysis.causes import Cause, CauseKind
from . import SortOp

def sort(op, b):
    buffer = b.buffer(op.source)
    new = b.allocate(buffer.type, (), Cause(CauseKind.BOOKKEEPING, op, None, op.made))
    b.insert(SortOp((buffer,), (new.type,)))
    b.replace(op, [new])

REWRITES = {SortOp: Rewrite(sort)}
""",
}
"""A dialect whose rewrite takes a buffer for a reason of its own."""


Found = dict[str, str]
"""The ids that are found in a program, each with its proof."""


def found_in(kind: type[Documented], program: PageProgram, folder: Path) -> Found:
    """What the command of a kind finds in a program of its page."""
    file, out = folder / "in.mlir", folder / "out.json"
    out.unlink(missing_ok=True)
    file.write_text(program.text)
    for name, text in program.files:
        (folder / name).write_text(text)
    named = {name for name, _ in program.files}
    flags = [str(folder / flag) if flag in named else flag for flag in program.flags]
    proof = ["--proof", "--no-help"] if kind.command[0] == "explain" else []
    main([kind.command[0], str(file), *kind.command[1:], *flags, *proof, "--format", "json", "-o", str(out)])
    entries = json.loads(out.read_text())["diagnostics"]
    for entry in entries:
        if entry["code"] in MARKED:
            primary = [label["span"] for label in entry["labels"] if label["primary"]]
            assert primary == [entry["span"]], "the place that is reported is marked"
    return {entry["code"]: entry["data"].get("proof", "") for entry in entries}


@pytest.fixture(scope="module", autouse=True)
def dialect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A dialect whose rewrite takes a buffer of its own."""
    folder = tmp_path_factory.mktemp("dialects")
    (folder / "mine_dialect").mkdir()
    for module, text in DIALECT.items():
        (folder / "mine_dialect" / f"{module}.py").write_text(text)
    sys.path.insert(0, str(folder))
    __import__("mine_dialect")
    yield
    sys.path.remove(str(folder))
    del REGISTRY["mine.sort"]


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_the_first_program_has_the_finding_and_the_second_has_not(kind, tmp_path):
    page = kind.page()
    found = found_in(kind, page.example, tmp_path)
    assert kind.id in found
    assert kind.id not in found_in(kind, page.instead, tmp_path)
    if kind.command[0] == "explain" and kind.id != "over-budget":
        proof = found[kind.id]
        assert proof, "everything that is said of a program says how it follows"
        rules = [rule for rule in kind.rules if re.search(rf"\b{re.escape(rule)}\b", proof)]
        assert rules or not kind.rules


@pytest.mark.parametrize("kind", KINDS, ids=IDS)
def test_a_page_can_be_printed(kind):
    text = page_of(kind.id)
    assert text is not None
    page = kind.page()
    assert page.example.text.strip().split("\n")[0] in text
    assert "Applicability: " in text, "each fix says how safe it is"
    for part in (page.title, page.what, page.why, page.fix):
        assert part[0] == part[0].upper() or part.startswith(
            ("memref", "ml_program", "tensor.", "mlir-opt", "bufferiz")
        )
    assert all(sentence.endswith((".", ")")) for sentence in (page.what, page.why, page.fix))


def test_a_docstring_that_is_no_page_is_an_error_that_names_it():
    class Half(Documented):
        """It has a title.

        But only half of a page.
        """

        id = "half"

    with pytest.raises(LookupError, match="the docstring of Half is not a page"):
        Half.page()


def test_ids_are_used_once():
    assert len(IDS) == len({kind.id for kind in KINDS}) == len(KINDS)


# -- nothing is forgotten: causes, reasons, rules


def test_each_cause_and_each_reason_is_told_by_one_kind():
    assert set(BY_CAUSE) == set(CauseKind) - {CauseKind.OUT_OF_PLACE}
    assert set(BY_REASON) == set(ReasonKind)
    told = [cause for kind in set(BY_CAUSE.values()) for cause, _ in kind.tells_of]
    assert len(told) == len(set(told))


def deciding(file: str) -> dict[str, set[str]]:
    """The relations of a file that no other rule of it uses, each with its rules: what they derive is told."""
    rules = causes.rules_of(file).rules
    used = {literal.atom.name for rule in rules for literal in rule.body if isinstance(literal, RuleLiteral)}
    found: dict[str, set[str]] = {}
    for rule in rules:
        if rule.head.name not in used:
            found.setdefault(rule.head.name, set()).add(rule.id)
    return found


FILES = ("loops", "ownership", "lifetimes", "pipelines", "parallel", "promises")


@pytest.mark.parametrize("file", FILES)
def test_each_rule_that_decides_is_named_by_the_finding_that_tells_it(file):
    named = {rule for kind in KINDS for rule in kind.rules if rule.startswith(f"{file}.")}
    assert named <= {rule.id for rule in causes.rules_of(file).rules}
    assert [relation for relation, rules in deciding(file).items() if not rules & named] == []


def without(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a rule out."""
    file = rule.partition(".")[0]
    rules_of = causes.rules_of
    whole = rules_of(file)
    less = Program(whole.declarations.values(), [other for other in whole.rules if other.id != rule])
    monkeypatch.setattr(causes, "rules_of", lambda name: less if name == file else rules_of(name))


@pytest.mark.parametrize("kind", OWNERSHIP, ids=[kind.id for kind in OWNERSHIP])
def test_no_rule_can_be_left_out(kind, monkeypatch, tmp_path):
    example = kind.page().example
    whole = found_in(kind, example, tmp_path)
    without(kind.rules[0], monkeypatch)
    try:
        found = found_in(kind, example, tmp_path)
    except (AssertionError, DatalogError, FileNotFoundError):
        return  # nothing is derived at all
    assert found != whole
