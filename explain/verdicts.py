"""Whether a copy is necessary, avoidable, or not known to be either.

*Avoidable*: a change was tried that is without it, and the program copies less in all: an edit that help found, the levers of
fewest copies, another layout at function boundaries.

*Necessary*: no order of operations and no choice of what stays in place copies fewer bytes there, and it is said why:

(1) the search for fewest copies proves it: sets of decisions of which one must be a copy, each a conflict that by the rules no order
    settles, with prices that pay for all that is copied; an independent checker accepts them;
(2) or something is moved: it lies in one buffer, whatever is decided, and the operation puts it into another one;
(3) or a loop hands it on in another buffer than its own, whatever is decided;
(4) or it is cloned for someone who will free it, and is the caller's, or is handed out twice;
(5) or the program asks for it.

*Not known*: it is said what is missing, and what would settle it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ..analysis.causes import CauseKind
from ..analysis.one_shot.analyze import analyze
from ..analysis.one_shot.places import PartPlaces
from ..analysis.places import symbol, value_name
from ..dialects import scf
from ..ir.program.core import BlockArgument, Value
from ..ir.program.interfaces import FunctionOp, SubsetInsertionOp
from ..transforms.account.movements import Kind as MovementKind
from ..transforms.account.movements import Movement
from .failures import spoiler_of
from .suggest import PRICES, Totals
from .verdict import CopyVerdict, Word, avoidable, necessary, not_known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..analysis.certificates import CertificateChecker
    from ..analysis.models.registry import ModelRegistry
    from ..analysis.one_shot.result import AnalysisResult
    from ..ir.program.core import OpOperand
    from .certified import Certified
    from .clone_verdicts import CloneVerdicts
    from .fewest_trial import FewestTrial
    from .finding import Finding
    from .suggest import Trials

MOST = 20_000
"""Operations of a program for which everything is tried; larger ones get what can be said without."""

MOST_FOR_BUFFERS = 500
"""The same for buffers that are allocated and not copied to: those cost less, and so their verdicts should."""

MOST_FOR_ORDERS = 2_000
"""The same for other orders of operations, of which many may have to be tried."""

ORDERS = "-reorder-to-save-copies=analysis-heuristic=fewest-copies"
FEWEST = '-one-shot-bufferize="fewest-copies peak-percent=0 analysis-heuristic=fewest-copies"'
"""What the trial does, as options."""
BY_CHOICE = frozenset((CauseKind.OUT_OF_PLACE, CauseKind.LOOP_YIELD))
"""Causes that the search for fewest copies knows of."""
MOVES = frozenset((CauseKind.INSERTION, CauseKind.CONCATENATION, CauseKind.PADDING, CauseKind.GLOBAL_STORE))
"""Causes that put something into another buffer by what the operation means."""
BY_LOOP = frozenset((CauseKind.LOOP_CONDITION, CauseKind.LOOP_UNSEEN))
"""Causes that follow from which buffers a loop hands round, once all is decided."""
BY_LAYOUT = frozenset((CauseKind.LAYOUT_MISMATCH, CauseKind.NOT_CONTIGUOUS))


def judge(findings: Sequence[Finding], trials: Trials) -> None:
    """Give each copy of the findings its verdict, and let the finding tell it.

    At most two analyses, with the search for fewest copies, and three bufferizations.
    """
    judges = Judge(trials)
    judges.copies = [m for m in trials.account if is_judged(m) and m.kind is MovementKind.COPY]
    # what is in its place but for a copy on the way gets the verdict of that copy
    for finding in sorted(findings, key=lambda finding: finding.cause.kind in MOVES):
        judged = [movement for movement in finding.movements if is_judged(movement)]
        if (
            not judged
            and finding.cause.kind is CauseKind.OUT_OF_PLACE
            and trials.judged_as <= MOST_FOR_BUFFERS
        ):
            judged = finding.movements  # a buffer without contents
        if judged:
            verdict = judges.verdict(finding)
            if finding.operand is not None:
                judges.known[finding.operand] = verdict
            for movement in judged:
                movement.verdict = verdict
            finding.tell_verdict()


def judge_alike(findings: Sequence[Finding], judged: Sequence[Finding]) -> None:
    """Give findings of a program that is refused the verdicts of `judged`, where its options are relaxed."""
    known = {(f.cause.kind, f.cause.op, f.cause.operand): f.verdict for f in judged}
    for finding in findings:
        finding.foreseen = known.get((finding.cause.kind, finding.cause.op, finding.cause.operand))
        finding.tell_verdict()


def is_judged(movement: Movement) -> bool:
    """Whether a movement is a copy that bufferization makes, or a clone that deallocation makes."""
    return movement.op.name in ("memref.copy", "bufferization.clone") and not movement.was_written


class Judge:
    """Verdicts on the copies of one program; what they need is done when it is first asked for."""

    def __init__(self, trials: Trials) -> None:
        self.trials = trials
        self.result: AnalysisResult = trials.result
        self.registry: ModelRegistry = trials.known_models
        self.copies: list[Movement] = []
        self.known: dict[OpOperand, CopyVerdict] = {}
        self._trial: FewestTrial | None = None
        self._reordered: FewestTrial | None = None
        self._certified: Certified | None = None
        self._places = PartPlaces(self.result.state)
        self._layout: tuple[str, Totals] | None = None
        self._has_tried_layouts = False

    @property
    def is_small(self) -> bool:
        return self.trials.judged_as <= MOST

    def trial(self) -> FewestTrial | None:
        """The program with every lever; None if it is too large."""
        if self._trial is None and self.is_small:
            self._trial = self._try()
        return self._trial

    def _try(self, reorder: bool = False) -> FewestTrial:
        from .fewest_trial import FewestTrial

        return FewestTrial(
            self.result, self.copies, self.registry, self.trials.layout, lambda: self._best, reorder
        )

    def certified(self) -> Certified | None:
        """What the search proves; None if the program is too large."""
        if self._certified is None and self.is_small:
            from .certified import Certified

            self._certified = Certified(self.result, self._best)
        return self._certified

    @cached_property
    def _best(self) -> AnalysisResult:
        """The program as it is, with the fewest copies that are found."""
        from .fewest_trial import searching

        return analyze(self.result.state.root, searching(self.result.options), self.registry)

    @cached_property
    def _clones(self) -> CloneVerdicts:
        """For the few programs that have clones; it knows ways to free that are imported for it alone."""
        from .clone_verdicts import CloneVerdicts

        return CloneVerdicts(self.trials, self.is_small)

    @cached_property
    def _checker(self) -> CertificateChecker:
        """Knows what shares memory whatever is decided. What a call returns depends on what is best for its callee."""
        from ..analysis.certificates import CertificateChecker

        certified = self.certified() if self.result.state.call_targets else None
        return CertificateChecker(self.result) if certified is None else certified.checker

    def verdict(self, finding: Finding) -> CopyVerdict:
        """The verdict on the copies of a finding."""
        kind = finding.cause.kind
        copies = [movement for movement in finding.movements if is_judged(movement)]
        if copies and all(copy.is_onto_itself for copy in copies):
            return avoidable("a part is copied onto itself", "-cse -canonicalize, or fewest-copies")
        if finding.cause.is_asked:
            return necessary("the program itself asks for it", (f"'{finding.op.name}' means a copy",))
        helped = next((s for s in finding.diagnostic.suggestions if s.verified), None)
        if helped is not None:
            return avoidable(helped.title, helped.title)
        if kind is CauseKind.NOT_OWNED:
            return self._clones.verdict(finding, copies)
        redundant = self._redundant(finding)
        if redundant is not None:
            return redundant
        trial = self.trial() if copies else None
        if trial is not None and all(trial.is_saved(copy) for copy in copies):
            return avoidable("with fewest-copies it is not made", FEWEST)
        if kind in BY_LAYOUT:
            return self._of_layout(finding)
        if kind in MOVES:
            return self._of_move(finding)
        if kind in BY_CHOICE:
            return self._of_choice(finding)
        if kind in BY_LOOP:
            return self._of_loop(finding)
        return _of_other_kind(finding)

    def _redundant(self, finding: Finding) -> CopyVerdict | None:
        """A view that is copied because its operand is out of place, though only types would have made a copy of it."""
        if not getattr(finding, "is_redundant", False):
            return None
        return not_known(
            f"'{finding.op.name}' copies twice, and one of the two is redundant, but no option makes only one",
            "a contiguous buffer, such as that of a tensor that the function makes, is copied once",
        )

    # -- moves

    def _of_move(self, finding: Finding) -> CopyVerdict:
        """Something is put into another buffer: it must lie in that one to need no copy."""
        if self.trial() is None:
            return not_known(
                "the program is too large to try computing it in its place",
                "--function NAME, or a part of it",
            )
        op, value = finding.op, finding.value
        name = value_name(value)
        source = self._places.of(value)
        if isinstance(op, SubsetInsertionOp):
            target = op.subset_destination().value
            into, destination = f"the buffer of {value_name(target)}", self._places.of(target)
            is_elsewhere = destination.root is not source.root
            if not is_elsewhere and finding.operand is not None:
                is_elsewhere = not self._places.is_exactly(finding.operand, op)
                into = f"another part of {into}"
        else:
            into, is_elsewhere = f"what '{op.name}' makes", True
        if is_elsewhere and isinstance(op, SubsetInsertionOp):
            target = op.subset_destination().value
            use = op.subset_source()
            if not (self._places.is_in_another_place(use, op) or self._checker.are_apart(value, target)):
                return not_known(
                    f"{name} may lie in its place already: what it is, or where, depends on values that are not known",
                    "offsets and sizes that can be compared, such as numbers or one value",
                )
        if not is_elsewhere:
            spoiled = self._spoiled(value, f"{name} would be in its place")
            if spoiled is not None:
                return spoiled
            return not_known(
                f"{name} is in a part of the same buffer, and it is not known whether in its own place",
                "offsets and sizes that can be compared, such as numbers or one value",
            )
        steps = (
            f"{name} {self._lies_in(value, source.root)}, or in a copy of that, whatever stays in place",
            f"'{op.name}' puts it into {into}",
            "computing it there was tried, and copies no less",
        )
        return necessary(f"{name} {self._lies_in(value, source.root)}, and goes into {into}", steps)

    def _lies_in(self, value: Value, root: Value) -> str:
        """Where a value is, in words."""
        given = self.result.state.definitions_of(value)
        if value in given and _is_given(value):
            return "comes from the caller"
        if given and all(_is_given(one) for one in given):
            return f"comes from the caller in {' or '.join(value_name(one) for one in given)}"
        op = root.defining_op
        if root is value and op is not None:
            return f"is made by '{op.name}', in a buffer of its own"
        return f"is computed in the buffer of {value_name(root)}"

    # -- layouts

    def _of_layout(self, finding: Finding) -> CopyVerdict:
        """Only types force it: others may help."""
        if not self._has_tried_layouts:
            self._has_tried_layouts = True
            for layout in PRICES if self.is_small else ():
                totals = self.trials.attempt_layout(layout)
                if (
                    layout != self.trials.layout
                    and totals is not None
                    and totals.improves_on(self.trials.before)
                ):
                    self._layout = layout, totals
                    break
        if self._layout is not None:
            layout, totals = self._layout
            option = f"--function-boundary-type-conversion={layout}"
            return avoidable(f"{option} saves {self.trials.saving(totals)}; {PRICES[layout]}", option)
        name = finding.name
        if not self.is_small:
            return not_known(
                "the program is too large to try other layouts", "--function NAME, or a part of it"
            )
        if finding.cause.kind is CauseKind.NOT_CONTIGUOUS:
            steps = (
                f"the elements of {name} do not lie one behind the other, or are not known to",
                f"what '{finding.op.name}' makes of them has to",
                "other layouts at function boundaries were tried, and copy no less",
            )
            return necessary(f"the elements of {name} have to be moved together", steps)
        steps = (
            f"the buffer of {name} has another layout than the one that '{finding.op.name}' promises",
            "both are fixed by types, not by what stays in place",
            "other layouts at function boundaries were tried, and copy no less",
        )
        return necessary(f"types promise another layout than the buffer of {name} has", steps)

    def _spoiled(self, value: Value, otherwise: str) -> CopyVerdict | None:
        """The verdict of the copy without which `value` would be where it should, if it has one."""
        spoiler = spoiler_of(self.result, value)
        known = self.known.get(spoiler) if spoiler is not None else None
        if known is None or spoiler is None:
            return None
        because = f"{otherwise} but for the copy at '{spoiler.owner.name}': {known.why}"
        return CopyVerdict(
            known.word, because, known.certificate, known.cores, known.change, known.settled_by
        )

    # -- loops

    def _of_loop(self, finding: Finding) -> CopyVerdict:
        """What a loop hands on would have to be its own buffer."""
        spoiled = self._spoiled(finding.value, "it would be the loop's own buffer")
        if spoiled is not None:
            return spoiled
        value, region = finding.value, finding.op.parent_region
        if region is None or self.trial() is None:
            return _of_other_kind(finding)
        is_argument = isinstance(value, BlockArgument) and value.parent_region is region
        if is_argument and value in self._own_arguments(finding):
            return not_known(
                f"the loop begins with {finding.name} in one buffer and goes on with another, which may be known elsewhere",
                "yielding what was made from the argument in its place, or what nobody else knows",
            )
        if is_argument or not region.is_ancestor_of(value.parent_region):
            whose = "another argument of the loop" if is_argument else "made outside of the loop"
            steps = (
                f"{finding.name} is {whose}, whatever stays in place",
                f"'{finding.op.name}' hands it on in a place that is taken to have a buffer of its own",
                "doing without was tried, with what else that needs, and copies no less",
            )
            return necessary(f"{finding.name} is {whose}, and goes on in a place with its own buffer", steps)
        return _of_other_kind(finding)

    @staticmethod
    def _own_arguments(finding: Finding) -> set[Value]:
        """The argument in whose place a terminator of a loop hands something on."""
        use, region = finding.operand, finding.op.parent_region
        if use is None or region is None:
            return set()
        first = 1 if isinstance(finding.op, scf.ConditionOp) else 0
        return set(region.entry.args[use.index - first : use.index - first + 1])

    # -- choices

    def _of_choice(self, finding: Finding) -> CopyVerdict:
        operand = finding.operand
        unknown = next((reason.unknown for reason in finding.reasons if reason.unknown is not None), None)
        if unknown is not None:
            return not_known(f"nothing is known of '{unknown.name}'", "a model of it (--models FILE)")
        certified = self.certified()
        if certified is None:
            return not_known(
                "the program is too large to search for fewer copies", "--function NAME, or a part of it"
            )
        if operand is None:
            return _of_other_kind(finding)
        doubt = _without_body(finding)
        if certified.saves and certified.spares(finding.cause.kind, operand):
            return avoidable(
                "another choice of what stays in place copies less", "--analysis-heuristic=fewest-copies"
            )
        found = certified.verdict(operand, doubt)
        if (
            found.word is Word.NOT_KNOWN
            and certified.might_move(operand)
            and self._is_saved_by_orders(finding)
        ):
            return avoidable("with reads moved up, and fewest-copies, it is not made", f"{ORDERS}, {FEWEST}")
        return found

    def _is_saved_by_orders(self, finding: Finding) -> bool:
        """Whether the copies of a finding are gone with every lever and reads moved up."""
        copies = [movement for movement in finding.movements if is_judged(movement)]
        if self._reordered is None and self.trials.size <= MOST_FOR_ORDERS:
            self._reordered = self._try(reorder=True)
        trial = self._reordered
        return trial is not None and bool(copies) and all(map(trial.is_saved, copies))


def _is_given(value: Value) -> bool:
    """Whether a value is an argument of a function."""
    return (
        isinstance(value, BlockArgument)
        and value.owner.is_entry
        and isinstance(value.owner.parent_op, FunctionOp)
    )


def _without_body(finding: Finding) -> CopyVerdict | None:
    """What is to be said if everything hangs on a function without a body."""
    for reason in finding.reasons:
        callee = finding.result.state.call_targets.get(reason.write.owner)
        if isinstance(callee, FunctionOp) and callee.is_declaration:
            return not_known(
                f"@{symbol(callee)} has no body here, so it is taken to write what it is given",
                'its body, or bufferization.access = "read" on its argument if it only reads it',
            )
    return None


def _of_other_kind(finding: Finding) -> CopyVerdict:
    """What is missing to judge copies of which the search knows nothing."""
    if finding.cause.kind in (CauseKind.LOOP_CONDITION, CauseKind.LOOP_UNSEEN):
        return not_known(
            "which buffers the regions of a loop hand round is not part of the search",
            "a loop that hands each buffer on in its own place (unrolled by two, if two trade places)",
        )
    if finding.cause.kind is CauseKind.GLOBAL_OVERWRITTEN:
        return not_known(
            "the global may be stored to while what was loaded is needed",
            "loading it behind the store, or once more",
        )
    return not_known(f"nobody has looked for a way to do without a copy for '{finding.cause.kind}'", "")
