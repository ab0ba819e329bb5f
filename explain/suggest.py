"""What could be changed to save a copy, tried before it is said.

A candidate is a set of edits of the source text that keeps the meaning of the program by construction (moving operations
without effects, taking another destination whose contents are not read), or that states a permission only the author can
give. Each is applied, read, verified and analysed again; only those that save something are suggested, with what they save.
Analysed again is only what the change touches: its function, and the callers if what they know of it changes. Trials are
limited by their total cost, so that explaining a large program stays linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..analysis.conflicts import Reason
from ..analysis.formulas import Formula, in_bytes
from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.options import BOTTOM_UP, BOTTOM_UP_FROM_TERMINATORS, TOP_DOWN
from ..analysis.places import symbol
from ..ir.program.core import Operation, OpOperand
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import BufferizeError, Suggestion
from ..ir.source.places import Source
from ..ir.source.records import record, replace
from ..ir.text.parser import parse_source
from ..ir.verifier import verify
from ..transforms.account.movements import Account, Movement, counted, total
from ..transforms.account.twins import Twins
from ..transforms.bufferize.on_copy import Bufferized, bufferize_copy
from ..transforms.bufferize.options import FULLY_DYNAMIC_LAYOUT, IDENTITY_LAYOUT, INFER_LAYOUT
from .candidates import candidates
from .edits import Candidate, apply_edits
from .touched import FunctionTexts

if TYPE_CHECKING:
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.options import AnalysisOptions
    from ..analysis.one_shot.result import AnalysisResult
    from .finding import Finding

SMALL = 2_000
"""Operations that are analysed again in trials however small the program is: about a quarter of a second of work."""

SMALL_PART = 500
"""The same for a part of a program: there may be hundreds."""

MAX_TRIALS_PER_COPY = 6
LEAST = 50
"""Operations that a trial counts for at least: reading and verifying a text costs something, however short it is."""


def budget(size: int, is_part: bool = False) -> int:
    """Operations that may be analysed again for a program of `size` operations: about as much as it costs."""
    return max(SMALL_PART if is_part else SMALL, size)


@record(frozen=True)
class Totals:
    """How many copies and allocations a program makes, and how many bytes these copy; sizes by name.

    Copies of a part onto itself do not count: whatever follows takes them away.
    """

    copies: int
    allocations: int
    bytes: Formula

    @classmethod
    def of(cls, account: Account) -> Totals:
        moved = [copy for copy in account.copies if not copy.is_onto_itself]
        return cls(len(moved), len(account.allocations), total(moved).by_name())

    def describe(self) -> str:
        """`2 copies (32 bytes) and 1 allocation`."""
        copies = counted(self.copies, "copy", "copies")
        if self.copies:
            copies += f" ({in_bytes(self.bytes)})"
        return f"{copies} and {counted(self.allocations, 'allocation')}"

    def instead_of(self, part: Totals, whole: Totals) -> Totals:
        """The whole with these in place of a part."""
        return Totals(
            whole.copies - part.copies + self.copies,
            whole.allocations - part.allocations + self.allocations,
            whole.bytes - part.bytes + self.bytes,
        )

    def improves_on(self, other: Totals | None) -> bool:
        """Whether nothing is worse and something better; anything is better than a program that fails (None)."""
        if other is None:
            return True
        mine = (self.copies, self.allocations, self.bytes.estimate())
        theirs = (other.copies, other.allocations, other.bytes.estimate())
        return all(a <= b for a, b in zip(mine, theirs, strict=True)) and mine != theirs


@record(frozen=True)
class TrialOutcome:
    """What a changed program needs, and what callers know of its functions: summaries and types, by name."""

    totals: Totals
    known: dict[str, tuple[object, str]]


PRICES = {
    IDENTITY_LAYOUT: "then every caller has to pass contiguous buffers",
    FULLY_DYNAMIC_LAYOUT: "then every access in the function goes by strides",
}
"""What other layouts of buffers in signatures cost."""


class Trials:
    """Applies candidates to the text of one program, bufferizes the outcome and compares accounts."""

    def __init__(
        self,
        result: AnalysisResult,
        source: Source | None,
        registry: ModelRegistry | None,
        account: Account,
        bufferized: Bufferized | None = None,
        layout: str = INFER_LAYOUT,
        allow_unregistered: bool = True,
        is_part: bool = False,
    ):
        self.result = result
        self.source = source
        self.registry = registry
        self.account = account
        self.bufferized = bufferized
        self.layout = layout
        self.allow_unregistered = allow_unregistered
        self.size = sum(1 for _ in result.state.root.walk())
        self.remaining = budget(self.size, is_part)
        # a part is one of hundreds: with all that small programs are given, each would take a second
        self.judged_as = 1 << 30 if is_part else self.size
        self.before: Totals | None = None if result.errors else Totals.of(account)
        self._tried: dict[str, TrialOutcome | None] = {}
        self._layouts: dict[str, Totals | None] = {}
        self._made: dict[str, list[Movement]] = {}
        self._known: dict[str, tuple[object, str]] = {}
        if bufferized is not None and not result.errors:
            self._known = _known_to_callers(result, bufferized)
            for movement in account:
                self._made.setdefault(movement.function, []).append(movement)
        self.skipped = False
        """Whether candidates were left untried because the budget was used up."""

    @cached_property
    def functions(self) -> FunctionTexts | None:
        """The functions of the program, if they can be tried one by one."""
        if self.source is None or not self._known:
            return None
        return FunctionTexts.of(self.result.state.root, self.source)

    def suggestions(self, operand: OpOperand, reasons: list[Reason]) -> list[Suggestion]:
        """What saves something at `operand`, best first."""
        found: list[tuple[Totals, Suggestion]] = []
        outcomes: set[str] = set()
        if self.source is None or self._is_spent:
            return []
        for i, candidate in enumerate(candidates(self.result, operand, reasons)):
            if i >= MAX_TRIALS_PER_COPY:
                break
            if self.remaining < LEAST:
                self.skipped = True
                break
            text, after = self.attempt(candidate)
            if text is None or text in outcomes:
                continue
            outcomes.add(text)
            if after is not None and after.improves_on(self.before):
                found.append(
                    (
                        after,
                        Suggestion(
                            candidate.title,
                            list(candidate.edits),
                            self.saving(after),
                            True,
                            candidate.permission,
                        ),
                    )
                )
        found.sort(key=lambda entry: (entry[0].copies, entry[0].allocations))
        return [suggestion for _, suggestion in found]

    @property
    def _is_spent(self) -> bool:
        """Whether it is known and said that nothing more can be tried."""
        return self.skipped and self.functions is None and self.remaining < self.size

    def attempt(self, candidate: Candidate) -> tuple[str | None, Totals | None]:
        """The text that was tried, if the edits fit, and what the changed program needs; None if it is not valid or was not tried."""
        assert self.source is not None
        touched = self.functions.holding(candidate.edits) if self.functions is not None else None
        if self.functions is None or not touched:
            if not self._may_cost(self.size):
                return None, None
            text = apply_edits(self.source, candidate.edits)
            outcome = self._outcome(text, self.size) if text is not None else None
            return text, outcome.totals if outcome is not None else None
        part, wide = self.functions.with_callees(touched), self.functions.with_callers(touched)
        if not all(isinstance(op, FunctionOp) and not op.is_declaration for op in touched):
            part = wide
        text, outcome = self._attempt_part(self.functions, part, candidate)
        if outcome is not None and part != wide and self._differ_to_callers(touched, outcome):
            part = wide
            text, outcome = self._attempt_part(self.functions, wide, candidate)
        if outcome is None or self.before is None:
            return text, None
        made = [m for op in part for m in self._made.get(symbol(op) or "", ())]
        return text, outcome.totals.instead_of(Totals.of(Account(made)), self.before)

    def _differ_to_callers(self, functions: set[Operation], outcome: TrialOutcome) -> bool:
        names = [symbol(op) or "" for op in functions]
        return any(outcome.known.get(name) != self._known.get(name) for name in names)

    def _attempt_part(
        self, functions: FunctionTexts, part: set[Operation], candidate: Candidate
    ) -> tuple[str | None, TrialOutcome | None]:
        cost = max(LEAST, sum(functions.sizes[op] for op in part))
        if not self._may_cost(cost):
            return None, None
        text = functions.text(part, candidate.edits)
        return text, self._outcome(text, cost) if text is not None else None

    def _may_cost(self, operations: int) -> bool:
        """Whether so many operations may still be analysed; if not, something is left untried."""
        self.skipped |= self.remaining < operations
        return self.remaining >= operations

    def _outcome(self, text: str, cost: int) -> TrialOutcome | None:
        """What a changed text needs; None if it is not valid. `cost` operations are analysed, once for each text."""
        if text not in self._tried:
            self.remaining -= cost
            self._tried[text] = self._analyse(text)
        return self._tried[text]

    def with_options(self, options: AnalysisOptions) -> Totals | None:
        """What the unchanged program needs under other options; None if it cannot be bufferized or was not tried."""
        if self.remaining < self.size:
            return None
        self.remaining -= self.size
        return self._totals(self.result.state.root, options)

    def _analyse(self, text: str) -> TrialOutcome | None:
        assert self.source is not None
        try:
            module = parse_source(Source(self.source.name, text), allow_unregistered=self.allow_unregistered)
            verify(module, allow_unregistered=self.allow_unregistered)
        except BufferizeError:
            return None
        result = analyze(module, self.result.options, self.registry)
        if result.errors:
            return None
        found = bufferize_copy(result, function_boundary_layout=self.layout, registry=self.registry)
        return (
            TrialOutcome(Totals.of(found.account), _known_to_callers(result, found))
            if found.is_complete
            else None
        )

    def _totals(self, module: Operation, options: AnalysisOptions) -> Totals | None:
        result = analyze(module, options, self.registry)
        if result.errors:
            return None
        found = bufferize_copy(result, function_boundary_layout=self.layout, registry=self.registry)
        return Totals.of(found.account) if found.is_complete else None

    def saving(self, after: Totals) -> str:
        """What is gained, in words."""
        before = self.before
        if before is None:
            return f"the program is then bufferized, with {after.describe()}"
        parts = []
        copies = before.copies - after.copies
        gone = before.bytes - after.bytes
        if copies > 0:
            parts.append(counted(copies, "copy", "copies") + (f" ({in_bytes(gone)})" if gone else ""))
        if before.allocations > after.allocations:
            parts.append(counted(before.allocations - after.allocations, "allocation"))
        return " and ".join(parts) if parts else f"{in_bytes(gone)} copied"

    @property
    def known_models(self) -> ModelRegistry:
        """The models of operations."""
        return self.result.state.registry

    def attempt_layout(self, layout: str) -> Totals | None:
        """What the program needs with other layouts of buffers in signatures; None if that fails. Each is tried once."""
        if layout not in self._layouts:
            self._layouts[layout] = self._with_layout(layout)
        return self._layouts[layout]

    def _with_layout(self, layout: str) -> Totals | None:
        found = bufferize_copy(self.result, function_boundary_layout=layout, registry=self.registry)
        return Totals.of(found.account) if found.is_complete else None

    def without_empty_tensors(self) -> tuple[Totals, set[Operation]] | None:
        """What the program needs after -eliminate-empty-tensors, and which of its `tensor.empty` are gone then.

        None if none is, or it was not tried.
        """
        from ..transforms.eliminate_empty_tensors import EliminateEmptyTensors
        from ..transforms.pass_base import Context

        if self.remaining < 2 * self.size:  # the pass analyses, too
            self.skipped = True
            return None
        self.remaining -= 2 * self.size
        twins = Twins(self.result.state.root)
        try:
            EliminateEmptyTensors().run(twins.copy, Context())
        except BufferizeError:
            return None
        unused = [op for op in twins.copy.walk() if op.name == "tensor.empty" and not op.results[0].has_uses]
        gone = {twins.original_of(op) for op in unused}
        totals = self._totals(twins.copy, self.result.options) if gone else None
        return None if totals is None else (totals, gone)

    def advise(self, findings: Sequence[Finding]) -> None:
        """Add to findings which pass or option would save them, if it was tried and does."""
        if any(finding.op.name == "tensor.empty" for finding in findings):
            found = self.without_empty_tensors()
            if found is not None and found[0].improves_on(self.before):
                said = f"-eliminate-empty-tensors lets it be written where it goes: saves {self.saving(found[0])} (tried)"
                for finding in findings:
                    if finding.op in found[1] and finding.operand is None:
                        finding.diagnostic.help(said)

    def other_heuristics(self) -> list[tuple[str, Totals]]:
        """Heuristics under which the program needs less, best first."""
        found = []
        for heuristic in (BOTTOM_UP, TOP_DOWN, BOTTOM_UP_FROM_TERMINATORS):
            if heuristic != self.result.options.analysis_heuristic:
                totals = self.with_options(replace(self.result.options, analysis_heuristic=heuristic))
                if totals is not None and totals.improves_on(self.before):
                    found.append((heuristic, totals))
        return sorted(found, key=lambda entry: entry[1].copies)


def _known_to_callers(result: AnalysisResult, bufferized: Bufferized) -> dict[str, tuple[object, str]]:
    """What the analysis knows of each function, and its type when bufferized. O(functions)."""
    types = {
        symbol(op): str(op.function_type)
        for region in bufferized.module.regions
        for op in region.ops()
        if isinstance(op, FunctionOp)
    }
    found: dict[str, tuple[object, str]] = {}
    for region in result.state.root.regions:
        for op in region.ops():
            name = symbol(op) if isinstance(op, FunctionOp) else None
            if name is not None:
                found[name] = result.state.callees.get(op), types.get(name, "")
    return found
