"""The verdict on each copy and clone: necessary, needed as written, avoidable or open.

*Avoidable* means that the plan's command line (`plan.py`), which was run, or a verified suggestion eliminates it. Other
copies are *needed as written* if the search for fewest copies proves that no choice and no order of the function copies
fewer bytes there (conflict cores, of which each requires a copy, with prices that cover all copied bytes; an
independent checker accepts them), or if it follows from the operation that moves data; and *necessary* if in addition
the argument of `necessary.py` holds. The rest are *open*: the verdict states what is missing, and what would decide it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ..analysis.causes import CauseKind
from ..analysis.fewest_copies.choose import is_proven, planned_weight
from ..analysis.naming import symbol, value_name
from ..analysis.one_shot import FEWEST_COPIES, TOP_DOWN
from ..analysis.one_shot.analyze import analyze_once
from ..analysis.one_shot.functions import declared_access
from ..analysis.one_shot.regions_of_memory import MemoryRegions
from ..analysis.one_shot.result import ReasonKind
from ..analysis.sizes import Formula
from ..analysis.strided_places import TENSOR_VIEWS
from ..dialects import scf
from ..ir.program.core import BlockArgument, Operation, Value
from ..ir.program.interfaces import (
    CountedLoopOp,
    FunctionOp,
    SubsetInsertionOp,
    is_function_argument,
)
from ..ir.source.diagnostics import Applicability
from ..ir.source.records import replace
from ..ir.source.text import joined, say
from ..transforms.bufferize import IDENTITY_LAYOUT
from ..transforms.memory_report import Kind as MovementKind, MemoryRecord, counted
from .clones import CloneVerdicts
from .failures import spoiler_of
from .finding import CopyVerdict, Settled, Word, avoidable, necessary, needed, not_known
from .kinds import causes_settled_by
from .necessary import why_both, why_moved
from .plan import CopyPlan
from .requested import verdict_on_request
from .routes import LIGHT, place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..analysis.certificates import CertificateChecker
    from ..analysis.models import ModelRegistry
    from ..analysis.one_shot.result import AnalysisResult
    from ..ir.program.core import OpOperand
    from .finding import Finding
    from .necessary import Certified
    from .suggest import Trials


MOST = 20_000
"""Largest program, in operations, with complete trials."""

PAIRS_PER_USE = 16
"""Conflict pairs checked per use, fewer than the pass itself checks, to bound the time of an explanation."""
NOTHING = Formula.of(0)
"""The bytes of a tensor without elements."""
BUFFER_GONE = "the plan's command eliminates this buffer"
"""The verdict on an allocation that the plan eliminates; it makes no claim about surrounding copies."""
BY_CHOICE = causes_settled_by(Settled.CHOICE)
"""Causes within the search for fewest copies."""
MOVES = causes_settled_by(Settled.OPERATION)
"""Causes that move data to another buffer by the semantics of the operation."""
BY_LOOP = causes_settled_by(Settled.LOOP)
"""Causes that follow from the buffers a loop yields, given all decisions."""
BY_LAYOUT = causes_settled_by(Settled.LAYOUT)


def judge(findings: Sequence[Finding], trials: Trials, plan: CopyPlan | None) -> bool:
    """Assign a verdict to each copy and clone of the findings, and report it in the finding.

    Runs at most one additional analysis, the search for fewest copies on what the plan leaves. Returns whether that showed that no
    decisions copy less than those of the analysis.
    """
    judges = Judge(trials, plan)
    # a move whose source is in place except for another copy gets the verdict of that copy
    for finding in sorted(findings, key=lambda finding: finding.cause.kind in MOVES):
        judged = [memory_record for memory_record in finding.records if is_judged(memory_record)]
        verdict = judges.verdict(finding) if judged else judges.of_buffer(finding)
        if verdict is None:
            continue
        if finding.operand is not None and verdict.why != BUFFER_GONE:
            judges.known[finding.operand] = verdict
        for memory_record in judged or finding.records:
            memory_record.verdict = verdict
        finding.tell_verdict()
    return judges.is_least


def is_judged(memory_record: MemoryRecord) -> bool:
    """Whether a record is a copy inserted by bufferization, or a clone by deallocation."""
    return memory_record.op.name in ("memref.copy", "bufferization.clone") and not memory_record.was_written


def _why_idle(copy: MemoryRecord) -> str:
    """Why `-cse -canonicalize` remove a copy; "" if they do not."""
    if copy.is_onto_itself:
        return "a part is copied onto itself"
    has_none = copy.kind is MovementKind.COPY and copy.bytes == NOTHING
    return "there are no elements to copy" if has_none else ""


class Judge:
    """Verdicts on the copies of one program; required analyses run on first use."""

    def __init__(self, trials: Trials, plan: CopyPlan | None) -> None:
        self.trials = trials
        self.plan = plan
        self.result: AnalysisResult = trials.result
        self.registry: ModelRegistry = trials.known_models
        self.known: dict[OpOperand, CopyVerdict] = {}
        self._certified: Certified | None = None
        self._places = MemoryRegions(self.result.state)

    @cached_property
    def _has_own_clones(self) -> bool:
        return any(m.kind is MovementKind.CLONE and m.was_written for m in self.trials.memory_report)

    @cached_property
    def _copied_on_load(self) -> set[Operation]:
        """Loads of globals copied immediately because the global is stored to elsewhere."""
        return {m.cause.op for m in self.trials.memory_report if m.cause.kind is CauseKind.GLOBAL_OVERWRITTEN}

    @property
    def is_small(self) -> bool:
        return self.trials.judged_as <= MOST

    def certified(self) -> Certified | None:
        """The lower bounds proved by the search; None if the program is too large."""
        if self._certified is None and self.is_small:
            from .necessary import Certified

            self._certified = Certified(self._best)
        return self._certified

    @cached_property
    def _best(self) -> AnalysisResult:
        """The analysis with the fewest copies that the search finds. A greedy order may copy less, but has no certificate."""
        options = replace(
            self.result.options,
            compare_parts=True,
            analysis_heuristic=FEWEST_COPIES,
            pairs_per_use=PAIRS_PER_USE,
        )
        return analyze_once(self.result.state.root, options, self.registry)

    @property
    def is_least(self) -> bool:
        """Whether the search, if it ran, proved that no decisions copy less than those of the analysis."""
        if self._certified is None or self._best.errors or not is_proven(self._best):
            return False
        return planned_weight(self._best) >= planned_weight(self.result)

    @cached_property
    def _clones(self) -> CloneVerdicts:
        """Created on demand: few programs have clones, and it imports the deallocation passes."""

        return CloneVerdicts(self.trials, self.is_small)

    @cached_property
    def _checker(self) -> CertificateChecker:
        """Knows what shares memory under every decision.

        The aliasing of call results depends on the best decisions for the callee.
        """
        from ..analysis.certificates import CertificateChecker

        certified = self.certified() if self.result.state.call_targets else None
        return CertificateChecker(self.result) if certified is None else certified.checker

    def verdict(self, finding: Finding) -> CopyVerdict:
        """The verdict on the copies of a finding."""
        kind = finding.cause.kind
        copies = [memory_record for memory_record in finding.records if is_judged(memory_record)]
        suggestions = finding.diagnostic.suggestions
        helped = next((s for s in suggestions if s.verified and self.trials.saves_copy(s)), None)
        planned = self._by_plan(copies)
        if helped is not None:
            command = planned.command if planned is not None else self._fix(helped.applicability)
            return avoidable(helped.title, helped.title, command)
        if planned is not None:
            spoiled = (
                self._spoiled(
                    finding.value, say("{name} would be in its place", name=finding.name), is_planned=True
                )
                if kind in MOVES
                else None
            )
            is_one = spoiled is not None and spoiled.word is Word.AVOIDABLE
            return replace(planned, why=spoiled.why) if is_one and spoiled is not None else planned
        idle = {_why_idle(copy) for copy in copies}
        if idle and "" not in idle:
            how = "-cse -canonicalize"
            return avoidable(idle.pop(), how, f"{self._command} {how}")
        own, other = self._of_kind(finding, copies), self._by_other(copies)
        found = own if other is None or own.word is Word.NEEDED else other
        if found.word is Word.NEEDED and self._is_made_less_often(copies):
            return replace(found, why=say("{why}; the plan's command makes it less often", why=found.why))
        return found

    def _is_made_less_often(self, copies: Sequence[MemoryRecord]) -> bool:
        """Whether the plan keeps the only copy at a position, but moves less by it."""
        plan = self.plan
        if plan is None or not plan.helps or len(copies) != 1:
            return False
        place = place_of(copies[0].cause.op)
        is_only = plan.best.counts.get(place) == 1
        return is_only and plan.best.weights.get(place, 0) < copies[0].traffic.estimate()

    def _of_kind(self, finding: Finding, copies: Sequence[MemoryRecord]) -> CopyVerdict:
        """The verdict on copies that neither a suggestion nor the plan eliminates, by what decides on them."""
        kind = finding.cause.kind
        if finding.cause.is_asked:
            return verdict_on_request(finding)
        if kind is CauseKind.NOT_OWNED:
            plan = self.plan
            # beside clones of the program, which deallocation may remove, too, only a command that was run tells what pays
            is_behind = plan is not None and not plan.untried and (plan.helps or self._has_own_clones)
            return self._clones.verdict(finding, copies, self._command, is_behind)
        if (redundant := self._redundant(finding)) is not None:
            return redundant
        if self.plan is None or not self.is_small:
            return not_known(
                "the program is too large to try what would copy less", "--function NAME, or a part of it"
            )
        if kind in BY_LAYOUT or kind in MOVES:
            maker = self._places.of(finding.value).root.defining_op
            if maker is not None and not self.result.state.is_known(maker):
                return not_known(
                    say("no bufferization is known for '{operation}', which computes it", operation=maker),
                    "an operation that can be bufferized, or a model of it (--models FILE)",
                )
        if kind in BY_LAYOUT:
            return self._of_layout(finding)
        if kind in MOVES:
            return self._of_move(finding)
        if kind in BY_CHOICE:
            return self._of_choice(finding)
        if kind in BY_LOOP:
            return self._of_loop(finding)
        return _of_other_kind(finding)

    def of_buffer(self, finding: Finding) -> CopyVerdict | None:
        """The verdict on an allocation; without contents the only claim is that the plan eliminates it."""
        plan = self.plan
        fresh = [m for m in finding.records if m.kind is MovementKind.ALLOCATION]
        helped = next((s for s in finding.diagnostic.suggestions if self.trials.saves_copy(s)), None)
        if fresh and helped is not None:
            return avoidable(helped.title, helped.title, self._fix(helped.applicability))
        if not fresh or plan is None or not plan.helps or not all(map(plan.best.lacks_buffer, fresh)):
            return None
        return avoidable(BUFFER_GONE, str(plan.command), plan.command)

    @property
    def _command(self) -> str:
        return self.plan.plain_command if self.plan is not None else ""

    def _fix(self, applicability: Applicability | None) -> str:
        file = self.plan.file if self.plan is not None else "FILE"
        unsafe = [] if applicability is Applicability.SAFE else ["--unsafe-fixes"]
        return " ".join(["bufferize fix", file, *self.registry.flags, *unsafe, "--diff"])

    def _by_plan(self, copies: Sequence[MemoryRecord]) -> CopyVerdict | None:
        """ "Avoidable" if the plan's command eliminates all of these copies."""
        plan = self.plan
        if plan is None or not copies or not plan.helps or not all(map(plan.best.lacks, copies)):
            return None
        route = plan.best.route
        how = [
            *[f"-{name}" for name in route.convert],
            *["-inline"] * route.inline,
            *["-canonicalize"] * route.simplify,
            *["fewest-copies"] * route.fewest,
            *LIGHT[: len(LIGHT) * route.light],
            *["reads moved up"] * route.reorder,
            *["-eliminate-empty-tensors"] * route.eliminate,
            *["-keep-arguments"] * bool(route.keep),
            *[TOP_DOWN] * (not route.fewest and route.analysis != self.result.options),
            *["identity layouts in signatures"] * (route.layout != plan.layout),
            *["private-function-dynamic-ownership"] * route.dynamic,
            *["-buffer-deallocation-static"] * route.static,
            *["changes of the source"] * route.edits,
        ]
        said = say("the plan's command eliminates it ({how})", how=", ".join(how))
        if plan.instead:
            said += say(", net of {copies} in other places", copies=counted(plan.instead, "copy", "copies"))
        return avoidable(said, ", ".join(how), plan.command)

    def _by_other(self, copies: Sequence[MemoryRecord]) -> CopyVerdict | None:
        """ "Needed as written" if another command eliminates all of these copies, but makes others that cost no less."""
        plan = self.plan
        if plan is None or not copies:
            return None
        other = next((found.route for found in plan.others if all(map(found.lacks, copies))), None)
        if other is None:
            return None
        said = say(
            "a command that eliminates it makes other copies, and moves no fewer bytes in total: {how}",
            how=" ".join(other.flags()),
        )
        return needed(said, ("each command that was tried was run, and its copies and clones were counted",))

    def _redundant(self, finding: Finding) -> CopyVerdict | None:
        """A view copied because its operand is out of place, though its layout would have forced a copy anyway."""
        if not getattr(finding, "is_redundant", False):
            return None
        return not_known(
            say(
                "'{operation}' copies twice, and one of the two is redundant, but no option makes only one",
                operation=finding.op,
            ),
            "a contiguous buffer, such as that of a tensor that the function makes, is copied once",
        )

    # -- data movement

    def _of_move(self, finding: Finding) -> CopyVerdict:
        """The operation moves a value to another buffer: no copy is needed only if the value is computed there."""
        op, value = finding.op, finding.value
        name = value_name(value)
        source = self._places.of(value)
        if isinstance(op, SubsetInsertionOp):
            target = op.subset_destination().value
            into, destination = (
                say("the buffer of {target}", target=value_name(target)),
                self._places.of(target),
            )
            is_elsewhere = destination.root is not source.root
            if not is_elsewhere and finding.operand is not None:
                is_elsewhere = not self._places.is_exactly(finding.operand, op)
                into = "another part of that buffer"
        else:
            what = "what '{operation}' makes" if op.results else "the global that '{operation}' writes"
            into, is_elsewhere = say(what, operation=op), True
        if is_elsewhere and isinstance(op, SubsetInsertionOp):
            target = op.subset_destination().value
            use = op.subset_source()
            root = self._places.of(target).root
            is_new = _is_older(value, root) or _is_older(source.root, self._begun(root))
            if not (
                is_new
                or self._places.is_in_another_place(use, op)
                or self._checker.are_disjoint(value, target)
            ):
                return not_known(
                    say(
                        "{name} may lie in its place already: its contents or its location depend on unknown values",
                        name=name,
                    ),
                    "use offsets and sizes that can be compared, such as constants or the same value",
                )
        if not is_elsewhere:
            if (spoiled := self._spoiled(value, say("{name} would be in its place", name=name))) is not None:
                return spoiled
            return not_known(
                say(
                    "{name} is in a part of the same buffer, and it is not known whether in its own place",
                    name=name,
                ),
                "use offsets and sizes that can be compared, such as constants or the same value",
            )
        steps = (
            say(
                "{name} {lies_in}, or in a copy of that, whatever stays in place",
                name=name,
                lies_in=self._lies_in(value, source.root),
            ),
            say("'{operation}' puts it into {into}", operation=op, into=into),
            "computing it there was tried, and copies no less",
        )
        why = why_moved(value, op)
        if why:
            return necessary(why, steps)
        return needed(
            say(
                "{name} {lies_in}, and goes into {into}",
                name=name,
                lies_in=self._lies_in(value, source.root),
                into=into,
            ),
            steps,
        )

    def _begun(self, root: Value) -> Value:
        """The buffer that a loop receives as `root`, if its iterations all update that one; `root` otherwise."""
        while isinstance(root, BlockArgument) and isinstance(loop := root.owner.parent_op, CountedLoopOp):
            if root not in loop.region_iter_args:
                break
            at = loop.region_iter_args.index(root)
            if self._places.of(loop.yielded_operands[at].value).root is not root:
                break
            root = self._places.of(loop.init_operands[at].value).root
        return root

    def _lies_in(self, value: Value, root: Value) -> str:
        """A value's buffer in words."""
        given = self.result.state.definitions_of(value)
        if value in given and is_function_argument(value):
            return "comes from the caller"
        if given and all(is_function_argument(one) for one in given):
            return say("comes from the caller in {names}", names=joined(" or ", map(value_name, given)))
        op = root.defining_op
        if root is value and op is not None:
            return say("is computed by '{operation}' in a buffer of its own", operation=op)
        if root is value:
            return "is in the buffer in which the iteration began"
        made = value.defining_op
        does = "is part of" if made is not None and made.name in TENSOR_VIEWS else "is computed in"
        return say(does + " the buffer of {root}", root=value_name(root))

    # -- layouts

    def _of_layout(self, finding: Finding) -> CopyVerdict:
        """Only types force it; other layouts were tried for the plan."""
        name = finding.name
        if finding.cause.kind is CauseKind.NOT_CONTIGUOUS:
            steps = (
                say("the elements of {name} are not contiguous, or not known to be", name=name),
                say("the elements of the result of '{operation}' must be", operation=finding.op),
                *self._other_layouts(),
            )
            why = why_moved(finding.value, finding.op)
            if why:
                return necessary(
                    say("the elements of {name} have to be moved together: {why}", name=name, why=why), steps
                )
            return needed(steps[0], steps)
        steps = (
            say(
                "the buffer of {name} has another layout than '{operation}' promises",
                name=name,
                operation=finding.op,
            ),
            "both are fixed by types, not by what stays in place",
            *self._other_layouts(),
        )
        return needed(say("types declare another layout than that of the buffer of {name}", name=name), steps)

    def _other_layouts(self) -> tuple[str, ...]:
        """A remark that other layouts were tried, if they were."""
        if self.plan is None or any(IDENTITY_LAYOUT in flag for flag in self.plan.untried):
            return ()
        return ("other layouts at function boundaries were tried, and copy no less",)

    def _spoiled(self, value: Value, otherwise: str, is_planned: bool = False) -> CopyVerdict | None:
        """The verdict of the copy because of which `value` is not in the expected buffer, if it has one.

        Args:
            is_planned: whether the plan's command eliminates the copy of `value`, too.
        """
        spoiler = spoiler_of(self.result, value)
        known = self.known.get(spoiler) if spoiler is not None else None
        if known is None or spoiler is None:
            return None
        because = say(
            "{otherwise} but for the copy at '{operation}': {why}",
            otherwise=otherwise,
            operation=spoiler.owner,
            why=known.why,
        )
        plan = self.plan
        if known.word is Word.AVOIDABLE and not is_planned and plan and known.command == plan.command:
            # the plan computes the value in yet another buffer
            return not_known(
                say("{because}, but still makes this one", because=because),
                "a change that eliminates both",
            )
        return replace(known, why=because)

    # -- loops

    def _of_loop(self, finding: Finding) -> CopyVerdict:
        """The value forwarded by a loop would have to be in the loop's own buffer."""
        if (spoiled := self._spoiled(finding.value, "it would be the loop's own buffer")) is not None:
            return spoiled
        value, region = finding.value, finding.op.parent_region
        if region is None:
            return _of_other_kind(finding)
        is_argument = isinstance(value, BlockArgument) and value.parent_region is region
        if is_argument and value in self._own_arguments(finding):
            return not_known(
                say(
                    "the first iteration has {name} in one buffer, later ones in another, which may have other aliases",
                    name=finding.name,
                ),
                "yielding a value computed in the argument's buffer, or one that nothing else aliases",
            )
        if is_argument or not region.is_ancestor_of(value.parent_region):
            whose = "another argument of the loop" if is_argument else "defined outside of the loop"
            steps = (
                say("{name} is {whose}, whatever stays in place", name=finding.name, whose=whose),
                say(
                    "'{operation}' forwards it at a position that is assumed to have its own buffer",
                    operation=finding.op,
                ),
                "eliminating it was tried, with all changes that this needs, and copies no less",
            )
            return needed(
                say(
                    "{name} is {whose}, and is forwarded at a position with its own buffer",
                    name=finding.name,
                    whose=whose,
                ),
                steps,
            )
        return _of_other_kind(finding)

    @staticmethod
    def _own_arguments(finding: Finding) -> set[Value]:
        """The argument that corresponds to a forwarded operand of a loop terminator."""
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
            return not_known(
                say("nothing is known of '{unknown}'", unknown=unknown), "a model of it (--models FILE)"
            )
        certified = self.certified()
        if certified is None:
            return not_known(
                "the program is too large to search for fewer copies", "--function NAME, or a part of it"
            )
        if operand is None:
            return _of_other_kind(finding)
        loaded = next(
            (r.value.defining_op for r in finding.reasons if r.kind is ReasonKind.NOT_WRITABLE), None
        )
        if loaded is not None and loaded in self._copied_on_load:
            return not_known(
                say(
                    "'{loaded}' is copied when it is loaded, and '{operation}' may update that copy: one of the two is redundant",
                    loaded=loaded,
                    operation=finding.op,
                ),
                "an update of the copy made by the load, which no option enables",
            )
        found = certified.verdict(operand, _without_body(finding))
        why = why_both(certified.conflicts(operand)) if found.word is Word.NEEDED and finding.copies else ""
        return necessary(say("{why} (checked)", why=why), found.certificate, found.cores) if why else found


def _is_older(value: Value, root: Value) -> bool:
    """Whether `root` is allocated after `value` is defined, and so cannot hold it."""
    made = root.defining_op
    if made is None or made.name not in ("tensor.empty", "bufferization.alloc_tensor"):
        return False
    if isinstance(value, BlockArgument):
        return made.ancestor_in_block(value.owner) is not None
    maker = value.defining_op
    return maker is not None and maker.block is made.block and maker.is_before_in_block(made)


def _without_body(finding: Finding) -> CopyVerdict | None:
    """The verdict if the copy depends on an external function."""
    for reason in finding.reasons:
        callee = finding.result.state.call_targets.get(reason.write.owner)
        if not isinstance(callee, FunctionOp) or not callee.is_declaration:
            continue
        if declared_access(callee, reason.write.index) is None:
            return not_known(
                say(
                    "@{function} has no body here, so it is assumed to write its arguments",
                    function=symbol(callee),
                ),
                'its body, or bufferization.access = "read" on its argument if it only reads it',
            )
    return None


def _of_other_kind(finding: Finding) -> CopyVerdict:
    """The open verdict for copies outside the scope of the search."""
    if finding.cause.kind in BY_LOOP:
        return not_known(
            "the search does not cover which buffers the regions of a loop forward",
            "a loop that forwards each buffer at its own position (unrolled by two, if two are swapped)",
        )
    if finding.cause.kind is CauseKind.GLOBAL_OVERWRITTEN:
        return not_known(
            "the uses of the loaded value might be moved before the store to the global, which was not tried",
            "moving them there",
        )
    return not_known(say("no transformation here avoids a copy for '{kind}'", kind=finding.cause.kind), "")
