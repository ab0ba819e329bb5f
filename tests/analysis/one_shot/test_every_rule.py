"""Every rule decides something: without any one of them a program below is decided, or explained, otherwise.

The programs are decided by the search that the product uses and by the plain one that tries all pairs, and every operand
that is not kept in place has its proof. A filter of the product's search that comes before a rule (positions say that a read
comes first, say) hides the rule there, not in the plain search: so the two differ as soon as rule and filter do.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import pytest
from bufferize.analysis.datalog.program import Program
from bufferize.analysis.datalog.syntax import DatalogError
from bufferize.analysis.models import ModelRegistry
from bufferize.analysis.models.base import AliasingValue, Model
from bufferize.analysis.one_shot import AnalysisOptions, state
from bufferize.analysis.one_shot.analyze import analyze
from bufferize.analysis.one_shot.result import AnalysisResult
from bufferize.ir.defects import MLIR_22
from bufferize.ir.program.core import Operation, OpOperand
from bufferize.ir.text.parser import parse_text

from .helpers import find_conflict_exhaustively

T, PART = "tensor<8xf32>", "tensor<4xf32>"
HEAD = f"%t: {T}, %s: {T}, %f: f32, %i: index, %c: i1, %lb: index, %ub: index, %st: index"


def function(body: str, results: str = "") -> str:
    return f"func.func @f({HEAD}) {f'-> ({results}) ' if results else ''}{{\n{body}\n}}"


@dataclass(frozen=True)
class Row:
    """A program and what is found: `OP[OPERAND]` of each operand out of place, with the rules that end its proof."""

    text: str
    found: list[str]
    options: dict[str, object] = field(default_factory=dict)


INSERT = f"tensor.insert %f into %t[%i] : {T}"
EXTRACT = f"tensor.extract %t[%i] : {T}"
MIRROR: dict[str, object] = {"compat": MLIR_22}
ADD = "^bb0(%x: f32, %y: f32):\n %z = arith.addf %x, %y : f32\n linalg.yield %z : f32\n}"


def generic(ins: str, outs: str) -> str:
    return (
        "linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], "
        f'iterator_types = ["parallel"]}} ins({ins} : {T}) outs({outs} : {T}) {{\n{ADD} -> {T}'
    )


PIECE = "tensor<1xf32>"
FORALL = function(
    f"""%z = tensor.empty() : {PIECE}
    %r:2 = scf.forall (%k) in (8) shared_outs(%x = %s, %y = %t) -> ({T}, {T}) {{
      %m = tensor.extract_slice %y[%k] [1] [1] : {T} to {PIECE}
      scf.forall.in_parallel {{
        tensor.parallel_insert_slice %z into %y[%k] [1] [1] : {PIECE} into {T}
        tensor.parallel_insert_slice %m into %x[%k] [1] [1] : {PIECE} into {T}
      }}
    }}
    return %r#0, %r#1 : {T}, {T}""",
    f"{T}, {T}",
)

ROWS = {
    "a read behind the write": Row(
        function(f"%u = {INSERT}\n%x = {EXTRACT}\nreturn %u, %x : {T}, f32", f"{T}, f32"),
        ["tensor.insert[1] conflict.C1"],
    ),
    "a read before it": Row(
        function(f"%x = {EXTRACT}\n%u = {INSERT}\nreturn %u, %x : {T}, f32", f"{T}, f32"), []
    ),
    "two results of one buffer": Row(
        f"""
        func.func @g(%t: {T}) -> ({T}, {T}) {{ return %t, %t : {T}, {T} }}
        {
            function(
                f'''%p:2 = func.call @g(%t) : ({T}) -> ({T}, {T})
            %u = tensor.insert %f into %p#0[%i] : {T}
            %x = tensor.extract %p#1[%i] : {T}
            return %u, %x : {T}, f32''',
                f"{T}, f32",
            )
        }""",
        ["tensor.insert[1] conflict.C1"],
    ),
    "a loop brings the write before the next read": Row(
        function(
            f"""scf.for %k = %lb to %ub step %st {{
              %x = {EXTRACT}
              %u = {INSERT}
              "test.use"(%u, %x) : ({T}, f32) -> ()
            }}
            return""",
        ),
        ["tensor.insert[1] conflict.C1, conflict.C1, conflict.C1, conflict.C1"],
    ),
    "so does a cycle of blocks": Row(
        function(f"cf.br ^b\n^b:\n%x = {EXTRACT}\n%u = {INSERT}\ncf.cond_br %c, ^b, ^e\n^e:\nreturn"),
        ["tensor.insert[1] conflict.C1, conflict.C1"],
    ),
    "one of two branches": Row(
        function(
            f"""%r = scf.if %c -> {T} {{
              %u = {INSERT}
              scf.yield %u : {T}
            }} else {{
              %x = {EXTRACT}
              %v = tensor.insert %x into %s[%i] : {T}
              scf.yield %v : {T}
            }}
            return %r : {T}""",
            T,
        ),
        [],
    ),
    "elementwise on one buffer": Row(
        function(
            f"""%e = tensor.cast %t : {T} to tensor<?xf32>
            %d = tensor.cast %e : tensor<?xf32> to {T}
            %r = {generic("%t", "%d")}
            return %r : {T}""",
            T,
        ),
        [],
    ),
    "elementwise, the other way round": Row(
        function(
            f"""%e = tensor.cast %t : {T} to tensor<?xf32>
            %d = tensor.cast %e : tensor<?xf32> to {T}
            %r = {generic("%d", "%t")}
            return %r : {T}""",
            T,
        ),
        [],
    ),
    "a part written and put back": Row(
        function(
            f"""%p = tensor.extract_slice %t[0][4][1] : {T} to {PART}
            %q = tensor.insert %f into %p[%i] : {PART}
            %r = tensor.insert_slice %q into %t[0][4][1] : {PART} into {T}
            return %r : {T}""",
            T,
        ),
        [],
    ),
    "a part of an outer tensor, in a loop": Row(
        function(
            f"""scf.for %k = %lb to %ub step %st {{
              %p = tensor.extract_slice %t[%k][4][1] : {T} to {PART}
              %q = tensor.insert %f into %p[%i] : {PART}
              %r = tensor.insert_slice %q into %t[%k][4][1] : {PART} into {T}
              "test.use"(%r) : ({T}) -> ()
            }}
            return""",
        ),
        [
            "tensor.insert[1] conflict.C1, conflict.C1",
            "tensor.insert_slice[1] conflict.C1, conflict.C1, conflict.C1, conflict.C1, conflict.C1, conflict.C1",
        ],
        MIRROR,
    ),
    "a part put back unchanged": Row(
        function(
            f"""%p = tensor.extract_slice %t[0][4][1] : {T} to {PART}
            %r = tensor.insert_slice %p into %t[0][4][1] : {PART} into {T}
            return %r : {T}""",
            T,
        ),
        [],
    ),
    "an operation that knows better": Row(
        function(
            f"""%u = "mine.update"(%t) : ({T}) -> {T}
            %x = "mine.peek"(%t) : ({T}) -> f32
            return %u, %x : {T}, f32""",
            f"{T}, f32",
        ),
        [],
    ),
    "overwritten before it is read": Row(
        function(
            f"""%e = bufferization.alloc_tensor() : {T}
            %a = tensor.insert %f into %e[%i] : {T}
            %b = linalg.fill ins(%f : f32) outs(%a : {T}) -> {T}
            %x = tensor.extract %b[%i] : {T}
            return %x : f32""",
            "f32",
        ),
        [],
    ),
    "written inside what defines": Row(
        function(
            f"""%r = scf.for %k = %lb to %ub step %st iter_args(%a = %t) -> {T} {{
              %u = tensor.insert %f into %a[%k] : {T}
              scf.yield %u : {T}
            }}
            %x = tensor.extract %r[%i] : {T}
            return %r, %x : {T}, f32""",
            f"{T}, f32",
        ),
        [],
    ),
    "written before the block that receives": Row(
        function(
            f"""%u = {INSERT}
            cf.cond_br %c, ^a(%u : {T}), ^a(%s : {T})
            ^a(%v: {T}):
            %x = tensor.extract %v[%i] : {T}
            return %x : f32""",
            "f32",
        ),
        ["tensor.insert[1] conflict.C1"],
    ),
    "written behind the block, on the way to the read": Row(
        function(
            f"""cf.br ^a(%t : {T})
            ^a(%v: {T}):
            cf.br ^b
            ^b:
            %u = tensor.insert %f into %v[%i] : {T}
            %x = tensor.extract %v[%i] : {T}
            return %u, %x : {T}, f32""",
            f"{T}, f32",
        ),
        [],
        MIRROR,
    ),
    "on another way through the blocks": Row(
        function(
            f"""cf.cond_br %c, ^a(%t : {T}), ^b
            ^a(%v: {T}):
            %x = tensor.extract %v[%i] : {T}
            "test.use"(%x) : (f32) -> ()
            return %v : {T}
            ^b:
            %u = {INSERT}
            return %u : {T}""",
            T,
        ),
        [],
    ),
    "iterations that run at once": Row(
        function(
            f"""%e = bufferization.alloc_tensor() : {T}
            scf.forall (%k) in (8) {{
              %u = tensor.insert %f into %e[%k] : {T}
              %x = tensor.extract %u[%k] : {T}
              "test.use"(%x) : (f32) -> ()
            }}
            return"""
        ),
        ["tensor.insert[1] conflict.P1"],
    ),
    "two halves": Row(
        function(
            f"""%e = tensor.extract_slice %t[0] [4] [1] : {T} to {PART}
            %o = tensor.extract_slice %t[4] [4] [1] : {T} to {PART}
            %w = tensor.insert %f into %e[%i] : {PART}
            %x = tensor.extract %o[%i] : {PART}
            %r = tensor.insert_slice %w into %t[0] [4] [1] : {PART} into {T}
            return %r, %x : {T}, f32""",
            f"{T}, f32",
        ),
        [],
        {"compare_parts": True},
    ),
    "a write within what is overwritten": Row(
        function(
            f"""%e = tensor.extract_slice %t[0] [2] [1] : {T} to tensor<2xf32>
            %w = tensor.insert %f into %e[%i] : tensor<2xf32>
            %x = tensor.extract %w[%i] : tensor<2xf32>
            %p = tensor.splat %x : {PART}
            %r = tensor.insert_slice %p into %t[0] [4] [1] : {PART} into {T}
            return %r : {T}""",
            T,
        ),
        [],
        {"compare_parts": True},
    ),
    "a look at part of what is written back": Row(
        function(
            f"""%e = tensor.extract_slice %t[0] [4] [1] : {T} to {PART}
            %w = tensor.insert %f into %e[%i] : {PART}
            %r = tensor.insert_slice %w into %t[0] [4] [1] : {PART} into {T}
            %v = tensor.extract_slice %w[0] [2] [1] : {PART} to tensor<2xf32>
            %x = tensor.extract %v[%i] : tensor<2xf32>
            return %r, %x : {T}, f32""",
            f"{T}, f32",
        ),
        [],
        {"compare_parts": True},
    ),
    "elements of one of two places, the same or others": Row(
        function(
            f"""%e = tensor.extract_slice %t[%i] [1] [1] : {T} to tensor<1xf32>
            %o = tensor.extract_slice %t[%lb] [1] [1] : {T} to tensor<1xf32>
            %w = linalg.exp ins(%o : tensor<1xf32>) outs(%e : tensor<1xf32>) -> tensor<1xf32>
            %r = tensor.insert_slice %w into %t[%i] [1] [1] : tensor<1xf32> into {T}
            return %r : {T}""",
            T,
        ),
        [],
        {"compare_parts": True},
    ),
    "one element copied to another, or to itself": Row(
        function(
            f"""%p = tensor.extract_slice %t[%i][1][1] : {T} to tensor<1xf32>
            %r = tensor.insert_slice %p into %t[%lb][1][1] : tensor<1xf32> into {T}
            return %r : {T}""",
            T,
        ),
        [],
        {"compare_parts": True},
    ),
    "insertions at the end of a forall run in order": Row(FORALL, ["tensor.extract_slice[0] conflict.C1"]),
    "insertions at the end of a forall, mirrored": Row(FORALL, [], MIRROR),
    "what may not be written": Row(
        function(
            f"%k = arith.constant dense<1.0> : {T}\n%u = tensor.insert %f into %k[%i] : {T}\nreturn %u : {T}",
            T,
        ),
        ["tensor.insert[1] conflict.W1"],
    ),
}


class KnowsBetter(Model):
    """`mine.update` writes its operand and returns it, and says that no read of another operation minds."""

    def reads(self, operand: OpOperand, context: object) -> bool:
        return operand.owner.name == "mine.peek"

    def writes(self, operand: OpOperand, context: object) -> bool:
        return operand.owner.name == "mine.update"

    def aliasing_values(self, operand: OpOperand, context: object) -> list[AliasingValue]:
        return [
            AliasingValue(result) for result in operand.owner.results if result.type is operand.value.type
        ]

    def is_not_conflicting(self, read: OpOperand, write: OpOperand, context: object) -> bool:
        return True


def registry() -> ModelRegistry:
    found = ModelRegistry()
    found.add("mine.update", KnowsBetter())
    found.add("mine.peek", KnowsBetter())
    return found


@cache
def module(text: str) -> Operation:
    return parse_text(text, allow_unregistered=True)


def explained(result: AnalysisResult) -> list[str]:
    """The operands out of place, each with the rules of its proofs, and what joined values of one class."""
    lines = []
    for use in result.out_of_place():
        proofs = [result.prove(use, reason) for reason in result.reasons(use)]
        rules = ", ".join(proof.rule.id if proof.rule else proof.why.value for proof in proofs)
        lines.append(f"{use.owner.name}[{use.index}] {rules}")
    return lines


def found(row: Row) -> list[str]:
    options = AnalysisOptions(
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        check_parallel_regions=True,
        **row.options,  # pyright: ignore[reportArgumentType]
    )
    fast = analyze(module(row.text), options, registry())
    judge = analyze(module(row.text), options, registry(), find_conflict=find_conflict_exhaustively)
    lines = explained(fast)
    if fast.state.in_place != judge.state.in_place:
        lines += ["all pairs:", *explained(judge)]
    return lines


@pytest.mark.parametrize("name", ROWS)
def test_what_is_decided(name: str) -> None:
    assert found(ROWS[name]) == ROWS[name].found


WHOLE = state.conflict_program()


@pytest.mark.parametrize("rule", [rule.id for rule in WHOLE.rules])
def test_no_rule_can_be_left_out(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    less = Program(WHOLE.declarations.values(), [other for other in WHOLE.rules if other.id != rule])
    monkeypatch.setattr(state, "conflict_program", lambda: less)
    assert any(_differs(row) for row in ROWS.values()), f"without {rule} nothing is decided otherwise"


def _differs(row: Row) -> bool:
    try:
        return found(row) != row.found
    except (AssertionError, DatalogError, KeyError):
        return True  # what has to hold no longer does


def test_labels_are_unique_and_say_their_file() -> None:
    labels = [rule.id for rule in WHOLE.rules]
    assert len(set(labels)) == len(labels)
    assert {label.partition(".")[0] for label in labels} == {"aliasing", "conflict"}
    assert all(label.partition(".")[2][0].isupper() for label in labels), "each rule has a label of its own"
