"""Checks a certificate that a function cannot copy less, given only the rules, the models and the certificate.

Independent of the search. For each core it checks that

(1) the evidence holds: the rules derive the conflict even under all possible equivalences (or the value is read-only, or
    iterations are concurrent, or the value is outside of the loop that yields it);
(2) the operands of the core, together with those that must be in place, make the two values alias;
(3) the write is among them, or must be in place;

and for each operand that the prices of the cores that contain it sum up to at most the cost of its copy. Then the sum of all prices
is a lower bound on the cost of any decisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Protocol

from ..ir.program.core import Operation, OpOperand, Value
from ..ir.program.interfaces import LoopLikeOp
from ..ir.source import UnionFind, find
from ..ir.source.diagnostics import expect
from .cost_model import runs
from .datalog.union_find import EquivalenceRelation
from .models.base import is_tensor
from .one_shot.plan import needs_contents
from .one_shot.result import AnalysisResult
from .one_shot.state import possible_equivalence


class CoreLike(Protocol):
    """The interface of a core: see `fewest_copies.choose.CertifiedCore`."""

    @property
    def operands(self) -> tuple[OpOperand, ...]: ...
    @property
    def evidence(self) -> tuple[object, ...]: ...
    @property
    def hands_over(self) -> OpOperand | None: ...
    @property
    def price(self) -> int: ...


class CertificateLike(Protocol):
    """The interface of a certificate."""

    @property
    def cores(self) -> tuple[CoreLike, ...]: ...
    @property
    def bound(self) -> int: ...


def faults(
    result: AnalysisResult, certificate: CertificateLike, checker: CertificateChecker | None = None
) -> list[str]:
    """The errors of a certificate for an analysed program; empty if it proves its bound.

    O(size of the certificate), plus building the checker, which can be reused.
    """
    checker = checker or CertificateChecker(result)
    found: list[str] = []
    paid: dict[OpOperand, int] = {}
    for number, core in enumerate(certificate.cores):
        wrong = checker.fault_of(core)
        if wrong:
            found.append(f"core {number}: {wrong}")
        if core.price < 0:
            found.append(f"core {number}: its price is negative")
        for operand in core.operands:
            paid[operand] = paid.get(operand, 0) + core.price
        if core.hands_over is not None:
            paid[core.hands_over] = paid.get(core.hands_over, 0) + core.price
    for operand, price in paid.items():
        if price > checker.cost(operand):
            found.append(
                f"operand #{operand.index} of '{operand.owner.name}': its cores cost more than its copy"
            )
    if sum(core.price for core in certificate.cores) != certificate.bound:
        found.append("the prices do not add up to the bound")
    return found


class CertificateChecker:
    """Checks certificates of one program against its required in-place operands and copy costs. O(program) to build."""

    def __init__(self, result: AnalysisResult) -> None:
        self.state = result.state
        self.representative = UnionFind[Value]()
        self._planned = {copy.operand: copy for copy in result.plan() if copy.operand is not None}
        self._roots = result.analyzed
        for root in result.analyzed:
            for op in root.walk():
                self._join_required(op)

    @cached_property
    def possible(self) -> EquivalenceRelation[Value]:
        """The values that are equivalent under some decisions."""
        return possible_equivalence(self.state, self._roots)

    def _join_required(self, op: Operation) -> None:
        state = self.state
        model = state.model_of(op)
        if model is None:
            return
        for use in op.op_operands:
            if is_tensor(use.value) and state.must_be_in_place(use):
                for alias in state.aliasing_values(use):
                    self._join(self.representative, use.value, alias.value)
        if op in state.call_targets:
            summary = state.callee(op)
            tensors = tuple(r.index for r in op.results if is_tensor(r))
            for group in (tensors,) if summary is None else summary.sharing:
                for position in group[1:]:
                    self._join(self.representative, op.results[group[0]], op.results[position])

    def are_disjoint(self, one: Value, other: Value) -> bool:
        """Whether two values alias under no decisions, not even if every operand were in place."""
        return find(self._everything, one) is not find(self._everything, other)

    @cached_property
    def _everything(self) -> UnionFind[Value]:
        """The alias classes if every operand is in place; inits and yielded values are merged with their iter_args."""
        representative = UnionFind(self.representative)
        for root in self._roots:
            for op in root.walk():
                for use in op.op_operands:
                    if is_tensor(use.value):
                        for alias in self.state.aliasing_values(use):
                            self._join(representative, use.value, alias.value)
                if isinstance(op, LoopLikeOp):
                    for init, arg in zip(op.init_operands, op.region_iter_args, strict=False):
                        self._join(representative, init.value, arg)
                    for handed, arg in zip(op.yielded_operands, op.region_iter_args, strict=False):
                        self._join(representative, handed.value, arg)
        return representative

    def _join(self, representative: UnionFind[Value], one: Value, other: Value) -> None:
        representative[find(representative, other)] = find(representative, one)

    def cost(self, operand: OpOperand) -> int:
        """The cost of copying the operand: in thousandths of a byte, plus 1 for its buffer."""
        state = self.state
        copy = self._planned.get(operand)
        if copy is not None:
            copied, contents = copy.value, copy.with_contents
        else:
            views = [alias.value for alias in state.aliasing_values(operand)]
            only = (
                len(views) == 1 and len(state.aliasing_operands(views[0])) == 1 and not state.writes(operand)
            )
            copied = views[0] if only and views[0].defining_op is not None else operand.value
            contents = bool(state.definitions_of(operand.value)) and needs_contents(state, operand)
            contents = contents or self.is_forwarded(operand)
        return (state.weights.bytes_of(copied) * runs(operand.owner) * 1000 if contents else 0) + 1

    def is_forwarded(self, operand: OpOperand) -> bool:
        """Whether the operand is one of a loop's terminator."""
        return isinstance(operand.owner.parent_op, LoopLikeOp) and operand.owner.next_op is None

    def fault_of(self, core: CoreLike) -> str:
        """The error of a core; empty if it is valid."""
        evidence = core.evidence
        together = _Together(self, core.operands)
        if core.hands_over is not None:
            handed, *others = evidence
            if handed is not core.hands_over or not others:
                return "it does not state what the loop yields"
            body = core.hands_over.owner.parent_region
            outside = [
                v for v in others if isinstance(v, Value) and self._is_outside(v, body, core.hands_over)
            ]
            if not any(together.same(core.hands_over.value, value) for value in outside):
                return "the yielded value has no alias elsewhere"
            return ""
        first, second = evidence[0], evidence[1]
        if len(evidence) == 3:
            read, write = first, second
            assert isinstance(read, OpOperand)
            assert isinstance(write, OpOperand)
            with self.state.classes.assuming(self.possible):
                if self.state.overwrites.first(read, write) is None:
                    return "the rules do not derive that the write clobbers what the read needs"
            met: Value = read.value
        else:
            write = expect(OpOperand, first)
            if isinstance(second, Value):
                if self.state.is_writable(second):
                    return "the value may be written"
                met = second
            else:
                assert isinstance(second, OpOperand)
                if not self.state.crosses_parallel_region(write):
                    return "iterations do not run in parallel"
                met = second.value
        if not self.state.writes(write):
            return "the write does not write"
        if write not in core.operands and not self.state.must_be_in_place(write):
            return "the write need not be in place"
        return "" if together.same(met, write.value) else "its operands do not make the two alias"

    @staticmethod
    def _is_outside(value: Value, body: object, handed: OpOperand) -> bool:
        region = value.parent_region
        inner = region
        while inner is not None and inner is not body:
            inner = inner.parent_region
        if inner is None:
            return True
        is_argument = region is body and value.defining_op is None
        return is_argument and value is not handed.owner.parent_op and value is not _own_argument(handed)


def _own_argument(handed: OpOperand) -> Value | None:
    """The iter_arg that receives an operand yielded by an `scf.for`."""
    block = handed.owner.block
    position = 1 + handed.index
    return block.args[position] if block is not None and position < len(block.args) else None


class _Together:
    """The alias classes if exactly some operands, and the required ones, are in place."""

    def __init__(self, checker: CertificateChecker, operands: tuple[OpOperand, ...]) -> None:
        self._checker = checker
        self._leader = UnionFind[Value]()
        for operand in operands:
            for value in self._aliases(operand):
                one, other = self._of(operand.value), self._of(value)
                if one is not other:
                    self._leader[other] = one

    def _aliases(self, operand: OpOperand) -> Iterator[Value]:
        for alias in self._checker.state.aliasing_values(operand):
            yield alias.value

    def _of(self, value: Value) -> Value:
        value = find(self._checker.representative, value)
        return find(self._leader, value)

    def same(self, one: Value, other: Value) -> bool:
        return self._of(one) is self._of(other)
