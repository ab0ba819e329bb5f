"""Translation validation of modules, callees first, with refutation by running; results as findings.

Both functions are executed symbolically over one table of terms, on the same arguments. Then everything observable
(`observables`) must correspond. Nothing else is compared.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..ir.program.core import Operation
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import Diagnostic, Severity
from ..semantics.frees import frees_memory, leaks_matter
from .blocks import run_function
from .contracts import (
    Contract,
    Signature,
    call_groups,
    called_by,
    contract_of,
    needed_initialized,
    signature_of,
    worst_contract,
)
from .facts import Facts
from .loops import numbered, unrolled_loops
from .machine import Executor
from .modules import THE_TEXT, Modules, computes_the_same, is_private, is_unchanged, side_by_side
from .obligations import UNFORESEEN, Question, TooHard
from .observables import Ends, compare_functions, compare_modules
from .ranges import asking
from .regions import scratch_arguments
from .solvers import Solvers
from .state import Symbols
from .terms import clear

PROVED, REFUTED, OPEN = "proved", "refuted", "not proved"


@dataclass(slots=True)
class FunctionAnswer:
    """The result for one function.

    Attributes:
        function: its name.
        verdict: PROVED, REFUTED or OPEN.
        questions: the open questions; empty if it is proved.
        operations: the number of operations executed.
        evidence: the run that refutes it.
        compared: the observables that were compared.
        is_about_module: whether it is about the module's other operations.
        derivations, contract, at_once: for a certificate, how terms were shown to correspond, the contract for callers, and the
            unrolled loops.
    """

    function: str
    verdict: str
    questions: list[Question] = field(default_factory=list)
    operations: int = 0
    evidence: Any = None
    compared: list[str] = field(default_factory=list)
    derivations: list[list[str] | None] | None = None
    contract: Contract | None = None
    at_once: dict[int, int] = field(default_factory=dict)
    is_about_module: bool = False


@dataclass(slots=True)
class ProofOfProgram:
    """The results for all functions of a program.

    Attributes:
        compared: the module-level observables that were compared.
        not_run: why no input was tried for functions that are not proved.
        checked: the results in order, callees first.
    """

    outcomes: list[FunctionAnswer]
    compared: list[str] = field(default_factory=list)
    not_run: str = ""
    checked: list[FunctionAnswer] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was compared: then nothing is proved."""
        return not self.outcomes and not any(
            what.startswith(("the global", "other")) for what in self.compared
        )

    @property
    def verdict(self) -> str:
        if self.is_empty:
            return OPEN
        verdicts = {outcome.verdict for outcome in self.outcomes}
        return REFUTED if REFUTED in verdicts else OPEN if OPEN in verdicts else PROVED

    @property
    def proved(self) -> bool:
        return self.verdict == PROVED

    @property
    def questions(self) -> list[Question]:
        return [question for outcome in self.outcomes for question in outcome.questions]

    def of_ownership(self) -> ProofOfProgram:
        """The part about ownership: proved if all open questions are about contents or sizes of memory."""
        outcomes: list[FunctionAnswer] = []
        for outcome in self.outcomes:
            questions = [q for q in outcome.questions if not q.is_about_contents]
            verdict = OPEN if questions else PROVED
            outcomes.append(FunctionAnswer(outcome.function, verdict, questions, outcome.operations))
        return ProofOfProgram(outcomes, self.compared)


def prove_modules(
    before: Operation, after: Operation, *, leaks: bool | None = None, solvers: Sequence[str] = ()
) -> ProofOfProgram:
    """Prove every function that both modules define.

    Args:
        leaks: whether leaks are faults; by default, if one of both programs frees memory.
        solvers: names of `solvers.SOLVERS`, tried in this order for index arithmetic that bounds do not decide.
    """
    clear()
    if leaks is None:
        leaks = leaks_matter(before, after)
    further = Solvers(solvers) if solvers else None
    proof = ProofOfProgram([])
    with asking(further):
        for modules in side_by_side(before, after):
            _prove_module(modules, leaks, further, proof)
    return proof


def _prove_module(modules: Modules, leaks: bool, further: Solvers | None, proof: ProofOfProgram) -> None:
    """Add the results for one module to a proof, without nested modules."""
    prefix = f"{modules.name}::" if modules.name else ""
    compared, questions = compare_modules(modules)
    proof.compared += compared
    pair = _Pair(modules, leaks)
    order: list[str] = []
    for group in call_groups(pair.originals):
        pair.prove(group)
        order += [name for name in group if name in pair.found]
        if further is not None:
            _name_unanswered(further, [pair.found[name] for name in group if name in pair.found])
    for name in pair.originals:
        if name in pair.found:
            answer = pair.found[name]
            answer.function = prefix + name
            proof.outcomes.append(answer)
    proof.checked += [pair.found[name] for name in order]
    if questions:
        answer = FunctionAnswer(modules.name or THE_MODULE, OPEN, questions, compared=compared)
        answer.is_about_module = True
        proof.outcomes.append(answer)


THE_MODULE = "module"
"""The name of the result about the module itself."""


def _name_unanswered(further: Solvers, answers: Sequence[FunctionAnswer]) -> None:
    """Add the queries on which solvers timed out as open questions of unproved functions."""
    for answer in answers:
        op = answer.questions[0].op if answer.questions else None
        for text in list(further.unanswered)[:MAX_NAMED] if op is not None else ():
            answer.questions.append(
                Question(f"{text} (no solver decided this within its limit)", op, "index")
            )
    further.unanswered.clear()


MAX_NAMED = 3
"""Timed-out queries listed for one function."""


class _Pair:
    """An original and a transformed module, compared function by function.

    Attributes:
        name: the qualified name of the module; empty at the top.
        originals, others: the functions of each module, by name.
        contracts, signatures: the contracts of compared functions, for their callers.
        found: the results.
        leaks: whether leaks are faults.
    """

    def __init__(self, modules: Modules, leaks: bool) -> None:
        self.name, self.before, self.after, self.leaks = modules.name, modules.before, modules.after, leaks
        self.frees = leaks or frees_memory(self.after)
        self.originals, self.others = _functions(self.before), _functions(self.after)
        self.original_symbols, self.other_symbols = Symbols(self.before), Symbols(self.after)
        self.contracts: dict[str, Contract] = {}
        self.signatures: dict[str, Signature] = {}
        self.found: dict[str, FunctionAnswer] = {}

    def is_proved(self, name: str) -> bool:
        """Whether a function was proved, or both programs only declare it."""
        answer, one, other = self.found.get(name), self.originals.get(name), self.others.get(name)
        if answer is not None:
            return answer.verdict == PROVED
        return one is not None and one.is_declaration and other is not None and other.is_declaration

    def needs_initialized(self, name: str) -> bool:
        """Whether a function of the target needs initialized arguments."""
        return bool(needed_initialized(self.contracts.get(name), self.others[name]))

    def prove(self, group: Sequence[str]) -> None:
        """Prove mutually recursive functions: assumed contracts hold if those derived are no weaker."""
        originals, contracts = self.originals, self.contracts
        recursive = len(group) > 1 or any(name in called_by(originals[name]) for name in group)
        defined = [name for name in group if not originals[name].is_declaration and self.is_compared(name)]
        if recursive:
            for name in defined:
                contracts[name] = Contract(
                    results=dict.fromkeys(range(len(originals[name].function_type.results)))
                )
        for _ in range(MAX_ROUNDS):
            changed = False
            for name in defined:
                self.found[name], contract, signature = self._compared(name)
                together = unrolled_loops(originals[name], self.others.get(name))
                if together and self.found[name].verdict == OPEN:
                    again = self._compared(name, together)
                    if again[0].verdict == PROVED:
                        self.found[name], contract, signature = again
                if self.found[name].verdict == OPEN and is_unchanged(self, name):
                    self.found[name] = FunctionAnswer(
                        name, PROVED, [], self.found[name].operations, compared=[THE_TEXT]
                    )
                    contract, signature = worst_contract(originals[name]), Signature([])
                self._dismiss_contents(name)
                if recursive and not contracts[name].covers(contract):
                    contracts[name] = contracts[name].wider(contract)
                    changed = True
                elif not recursive:
                    contracts[name] = contract
                    self.signatures[name] = signature
            if not changed:
                for name in defined if recursive else ():
                    if self.found[name].contract is not None:
                        self.found[name].contract = contracts[name]
                return
        for name in defined:
            self.found[name].verdict = OPEN
            self.found[name].questions.append(
                Question("contracts of mutually recursive functions", originals[name], "recursion")
            )

    def _dismiss_contents(self, name: str) -> None:
        """A function that is unchanged is proved if only questions about contents are open, not about ownership."""
        answer = self.found[name]
        about_contents = all(question.is_about_contents for question in answer.questions)
        if answer.verdict == OPEN and about_contents and computes_the_same(self, name):
            answer.verdict, answer.questions = PROVED, []
            answer.compared = [THE_TEXT, *answer.compared]

    def is_compared(self, name: str) -> bool:
        """Whether a function must exist in the transformed program; an unused private one need not."""
        return name in self.others or not is_private(self.originals[name])

    def _compared(
        self, name: str, at_once: dict[int, int] | None = None
    ) -> tuple[FunctionAnswer, Contract, Signature]:
        """The result for one function, its contract, and its signature.

        Args:
            at_once: loops of the original to unroll (`loops.unrolled_loops`).
        """
        original, other = self.originals[name], self.others.get(name)
        worst = worst_contract(original)

        def unanswered(question: Question, steps: int = 0) -> tuple[FunctionAnswer, Contract, Signature]:
            return FunctionAnswer(name, OPEN, [question], steps), worst, Signature([])

        if other is None or other.is_declaration:
            return unanswered(Question(f"there is no '{name}' in the other program", original, "signature"))
        if scratch_arguments(original, other) is None:
            return unanswered(Question(f"'{name}' has other arguments", other, "signature"))
        facts = Facts()
        first = Executor(
            module=self.before,
            transformed=False,
            facts=facts,
            symbols=self.original_symbols,
            other_symbols=self.other_symbols,
            contracts=self.contracts,
            signatures=self.signatures,
            frees=self.frees,
            at_once=numbered(original, at_once or {}),
        )
        second = Executor(
            module=self.after, transformed=True, facts=facts, symbols=self.other_symbols, other_symbols=self.original_symbols,
            contracts=self.contracts, signatures=self.signatures, frees=self.frees,
        )  # fmt: skip
        try:
            s = run_function(first, original, original)
            x = run_function(second, other, original)
            ends = Ends(first, second, s, x, original, other, self.leaks)
            compared, questions = compare_functions(ends)
            contract = contract_of(ends)
            derivations = ends.refinement.derivations
        except TooHard as limit:
            return unanswered(limit.question, first.steps + second.steps)
        except RecursionError:
            return unanswered(Question("terms are nested too deeply", original, "size"), first.steps)
        except UNFORESEEN as surprise:
            # an operation in a form that no handler expects: the function is open
            at = second.current or first.current
            if "BUFFERIZE_DEBUG" in os.environ:
                raise
            return unanswered(Question(_unexpected(at, surprise), at, "unsupported"), first.steps)
        questions = [
            q for q in (*first.questions, *second.questions, *questions) if self.leaks or q.kind != "leak"
        ]
        verdict = OPEN if questions else PROVED
        answer = FunctionAnswer(name, verdict, questions, first.steps + second.steps, compared=compared)
        answer.derivations, answer.contract, answer.at_once = derivations, contract, at_once or {}
        return answer, contract, signature_of(first, s.values, s.state)


MAX_ROUNDS = 4
"""Rounds of widening the contracts of mutually recursive functions; beyond them the functions are open."""


def _unexpected(op: Operation | None, surprise: Exception) -> str:
    """The message for an operation in a form that no handler expects."""
    return f"'{op.name}' in this form" if op is not None else "a function in this form"


def _functions(module: Operation) -> dict[str, FunctionOp]:
    return {op.symbol_name: op for op in module.regions[0].entry if isinstance(op, FunctionOp)}


# Failures of a proof as diagnostics.


def diagnostics(outcome: FunctionAnswer) -> list[Diagnostic]:
    """The refuting run as a diagnostic, or each open question, once."""
    if outcome.evidence is not None and outcome.evidence.diagnostic is not None:
        finding = outcome.evidence.diagnostic
        for question in outcome.questions[:1]:
            if question.op is not None and question.op.span is not None:
                finding.label(question.op.span, "the proof fails here: could not prove that " + question.text)
            if question.other is not None and question.other.span is not None:
                finding.label(question.other.span, "this write clobbers what is read")
        return [finding]
    found: list[Diagnostic] = []
    seen: set[tuple[str, object]] = set()
    for question in outcome.questions:
        key = question.text, question.op
        if key in seen or len(found) >= 5:
            continue
        seen.add(key)
        diagnostic = Diagnostic(
            Severity.WARNING, _sentence(question.kind, question.text), question.span, "open-question"
        )
        diagnostic.data["kind"] = question.kind
        if question.other is not None and question.other.span is not None:
            diagnostic.label(question.other.span, "written here")
        found.append(diagnostic)
    return found


def _sentence(kind: str, text: str) -> str:
    """The text of an open question: the missing fact, or the unsupported operation."""
    if kind in ("unsupported", "unknown", "cycle", "helper", "loop", "size", "recursion", "signature"):
        return f"not proved, because the checker does not support this: {text}"
    return f"could not prove that {text}"


# Refutation by execution: inputs on which the transformed program behaves differently, or misuses memory.
#
# A failed proof has open questions, but does not show that the program is wrong; a run on the checked heap may. Needs the extra
# `run`.

HOPELESS = frozenset(["signature", "unknown"])
"""Kinds of questions that no run can answer."""


class SeenRun(Protocol):
    """The observations of running a function before and after."""

    @property
    def failed(self) -> bool: ...


class RunFunction(Protocol):
    """Runs the function of that name in both programs on inputs; see `interpreter.verify.refuting_runs`."""

    def __call__(self, function: str, /) -> Iterable[SeenRun]: ...


def refute(proof: ProofOfProgram, run: RunFunction) -> None:
    """Run the functions that are not proved; those for which a run shows a difference become refuted.

    If the module itself is open (a global, a resource), its functions are run until one shows a difference.
    """
    names = [outcome.function for outcome in proof.outcomes if not outcome.is_about_module]
    for outcome in proof.outcomes:
        if outcome.verdict == OPEN and not all(question.kind in HOPELESS for question in outcome.questions):
            tried = names if outcome.is_about_module else [outcome.function]
            failed = next((seen for name in tried for seen in run(name) if seen.failed), None)
            if failed is not None:
                outcome.verdict, outcome.evidence = REFUTED, failed
