"""Is a program on buffers what its tensors said? Function by function, callees first.

Both functions run over one table of terms, on the same arguments. Then whatever somebody outside can see must correspond: results,
the contents of buffers that were the caller's before, of globals, and the order of effects. Nothing else is compared: what nobody
reads need not be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ir.program.core import Operation
from ..ir.program.interfaces import FREE, CallOpInterface, FunctionOp, MemoryEffectOp
from ..ir.types import types as t
from .blocks import Exit, run_function
from .facts import Facts
from .machine import Executor
from .meanings_calls import Contract
from .questions import Question, TooHard
from .ranges import asking
from .refine import Mismatch, Refinement
from .regions import scratch_arguments
from .signatures import Signature, signature_of
from .solvers import Solvers
from .state import ALLOC, ARGUMENT, GIVEN, GLOBAL, Choice, Pointer, alternatives, bases_of, conjunction
from .symbols import Symbols
from .terms import FALSE, Term, clear, either
from .unchanged import is_unchanged

PROVED, REFUTED, OPEN = "proved", "refuted", "not proved"


@dataclass(slots=True)
class FunctionAnswer:
    """What was found out about one function.

    Attributes:
        function: its name.
        verdict: PROVED, REFUTED or OPEN.
        questions: what is open; empty if it is proved.
        mismatch: the terms that do not correspond, if that is why.
        operations: how many operations were run.
        evidence: the run that refutes it.
    """

    function: str
    verdict: str
    questions: list[Question] = field(default_factory=list)
    operations: int = 0
    undefined: bool = False
    evidence: Any = None


@dataclass(slots=True)
class ProofOfProgram:
    """What was found out about all functions of a program."""

    outcomes: list[FunctionAnswer]

    @property
    def verdict(self) -> str:
        verdicts = {outcome.verdict for outcome in self.outcomes}
        return REFUTED if REFUTED in verdicts else OPEN if OPEN in verdicts else PROVED

    @property
    def proved(self) -> bool:
        return self.verdict == PROVED

    @property
    def questions(self) -> list[Question]:
        return [question for outcome in self.outcomes for question in outcome.questions]

    def of_ownership(self) -> ProofOfProgram:
        """What of it is about who frees what: proved if nothing is open but what memory holds, and how large it is."""
        outcomes: list[FunctionAnswer] = []
        for outcome in self.outcomes:
            questions = [q for q in outcome.questions if not q.is_about_contents]
            verdict = OPEN if questions else PROVED
            outcomes.append(FunctionAnswer(outcome.function, verdict, questions, outcome.operations))
        return ProofOfProgram(outcomes)


def prove_modules(
    before: Operation, after: Operation, *, leaks: bool | None = None, solvers: Sequence[str] = ()
) -> ProofOfProgram:
    """Prove every function that both modules define.

    Args:
        leaks: whether memory that is left over is a fault; by default, if the transformed program frees any.
        solvers: names of `solvers.SOLVERS`, asked in this order about indices where bounds give no answer.
    """
    clear()
    if leaks is None:
        leaks = frees_memory(after)
    further = Solvers(solvers) if solvers else None
    pair = _Pair(before, after, leaks)
    with asking(further):
        for group in _callees_first(pair.originals):
            pair.prove(group)
            if further is not None:
                _name_unanswered(further, [pair.found[name] for name in group if name in pair.found])
    return ProofOfProgram([pair.found[name] for name in pair.originals if name in pair.found])


def _name_unanswered(further: Solvers, answers: Sequence[FunctionAnswer]) -> None:
    """Questions that solvers gave up are open where something is not proved."""
    for answer in answers:
        op = answer.questions[0].op if answer.questions else None
        for text in list(further.unanswered)[:MAX_NAMED] if op is not None else ():
            answer.questions.append(Question(f"{text} (no solver found out within its limit)", op, "index"))
    further.unanswered.clear()


MAX_NAMED = 3
"""Questions that solvers gave up that are named for one function."""


def frees_memory(module: Operation) -> bool:
    return any(
        isinstance(op, MemoryEffectOp) and any(effect.kind == FREE for effect in op.memory_effects())
        for op in module.walk()
    )


class _Pair:
    """Two programs of which the second is compared with the first, function by function.

    Attributes:
        originals, others: the functions of each, by name.
        contracts, signatures: what is known of functions that were compared, for their callers.
        found: the answers.
        leaks: whether memory that is left over is a fault.
    """

    def __init__(self, before: Operation, after: Operation, leaks: bool) -> None:
        self.before, self.after, self.leaks = before, after, leaks
        self.frees = leaks or frees_memory(after)
        self.originals, self.others = _functions(before), _functions(after)
        self.original_symbols, self.other_symbols = Symbols(before), Symbols(after)
        self.contracts: dict[str, Contract] = {}
        self.signatures: dict[str, Signature] = {}
        self.found: dict[str, FunctionAnswer] = {}

    def is_proved(self, name: str) -> bool:
        """Whether a function was proved, or both programs only declare it."""
        answer, one, other = self.found.get(name), self.originals.get(name), self.others.get(name)
        if answer is not None:
            return answer.verdict == PROVED
        return one is not None and one.is_declaration and other is not None and other.is_declaration

    def prove(self, group: Sequence[str]) -> None:
        """Functions that call each other: their contracts are assumed, and hold if what is found is no worse."""
        originals, contracts = self.originals, self.contracts
        recursive = len(group) > 1 or any(_calls(originals[name], name) for name in group)
        defined = [name for name in group if not originals[name].is_declaration]
        if recursive:
            for name in defined:
                contracts[name] = Contract(
                    results=dict.fromkeys(range(len(originals[name].function_type.results)))
                )
        for _ in range(4):
            changed = False
            for name in defined:
                self.found[name], contract, signature = self._compared(name)
                if self.found[name].verdict == OPEN and is_unchanged(self, name):
                    self.found[name] = FunctionAnswer(name, PROVED, [], self.found[name].operations)
                    contract, signature = _worst(originals[name]), Signature([])
                if recursive and not _covers(contracts[name], contract):
                    contracts[name] = _wider(contracts[name], contract)
                    changed = True
                elif not recursive:
                    contracts[name] = contract
                    self.signatures[name] = signature
            if not changed:
                return
        for name in defined:
            self.found[name].verdict = OPEN
            self.found[name].questions.append(
                Question("what functions that call each other promise", originals[name], "recursion")
            )

    def _compared(self, name: str) -> tuple[FunctionAnswer, Contract, Signature]:
        """One function, what its callers may rely on, and what they may know of its results."""
        original, other = self.originals[name], self.others.get(name)
        worst = _worst(original)

        def unanswered(question: Question, steps: int = 0) -> tuple[FunctionAnswer, Contract, Signature]:
            return FunctionAnswer(name, OPEN, [question], steps), worst, Signature([])

        if other is None or other.is_declaration:
            return unanswered(Question(f"there is no '{name}' in the other program", original, "signature"))
        if scratch_arguments(original, other) is None:
            return unanswered(Question(f"'{name}' has other arguments", other, "signature"))
        facts = Facts()
        first = Executor(
            self.before, False, facts, self.original_symbols, {}, self.contracts, signatures=self.signatures
        )
        second = Executor(
            self.after, True, facts, self.other_symbols, self.original_symbols, self.contracts,
            signatures=self.signatures, frees=self.frees,
        )  # fmt: skip
        try:
            s = run_function(first, original, original)
            x = run_function(second, other, original)
            looked_at = set(second.looked_at)
            questions, contract = _compare(first, second, s, x, original, other)
            contract.read = {
                i
                for i, held in enumerate(second.arguments)
                if isinstance(held, Pointer) and held.base in looked_at
            }
        except TooHard as limit:
            return unanswered(limit.question, first.steps + second.steps)
        except RecursionError:
            return unanswered(Question("terms are nested too deeply", original, "size"), first.steps)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, AssertionError) as surprise:
            # an operation in a form that no handler expects: nothing is proved, and nothing else is said of the program
            text = f"an operation of a form that is not known ({type(surprise).__name__})"
            return unanswered(Question(text, second.current or first.current, "unsupported"), first.steps)
        if self.leaks:
            _leaks(x, _is_private(other), questions)
        questions = [
            q for q in (*first.questions, *second.questions, *questions) if self.leaks or q.kind != "leak"
        ]
        verdict = OPEN if questions else PROVED
        answer = FunctionAnswer(name, verdict, questions, first.steps + second.steps)
        return answer, contract, signature_of(s.values, s.state, len(first.arguments))


def _worst(function: FunctionOp) -> Contract:
    """What may be so of any function."""
    worst = Contract(set(range(len(function.function_type.inputs))))
    worst.results = dict.fromkeys(range(len(function.function_type.results)), "some")
    return worst


def _covers(assumed: Contract, found: Contract) -> bool:
    return (
        found.written <= assumed.written
        and all(assumed.results.get(k, "some") == v for k, v in found.results.items())
        and all(found.equal.get(i) == k for i, k in assumed.equal.items())
        and assumed.owned <= found.owned
        and (assumed.read is None or (found.read is not None and found.read <= assumed.read))
        and all(names <= assumed.globals.get(k, set()) for k, names in found.globals.items())
    )


def _wider(assumed: Contract, found: Contract) -> Contract:
    results = {k: v if assumed.results.get(k, v) in (v, None) else "some" for k, v in found.results.items()}
    shared = {k: names | found.globals.get(k, set()) for k, names in assumed.globals.items()}
    return Contract(
        written=assumed.written | found.written,
        read=None,
        results=results,
        owned=set(found.owned),
        equal=dict(found.equal),
        globals={**found.globals, **shared},
    )


def _functions(module: Operation) -> dict[str, FunctionOp]:
    if not module.regions or module.regions[0].is_empty:
        return {}
    return {op.symbol_name: op for op in module.regions[0].entry if isinstance(op, FunctionOp)}


def _called(function: FunctionOp) -> set[str]:
    names = set()
    for op in function.walk():
        if isinstance(op, CallOpInterface):
            symbol: Any = op.callee_symbol()
            if symbol is not None:
                names.add(symbol.root if hasattr(symbol, "root") else symbol.value)
    return names


def _calls(function: FunctionOp, name: str) -> bool:
    return name in _called(function)


def _callees_first(functions: dict[str, FunctionOp]) -> list[list[str]]:
    """Groups of functions that call each other, callees before callers."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(functions)
    for name, function in functions.items():
        graph.add_edges_from((name, callee) for callee in sorted(_called(function)) if callee in functions)
    groups = list(nx.strongly_connected_components(graph))
    order = {name: i for i, name in enumerate(functions)}
    return [sorted(group, key=order.__getitem__) for group in groups]


# -- what somebody can see


def _compare(
    first: Executor, second: Executor, s: Exit, x: Exit, original: FunctionOp, other: FunctionOp
) -> tuple[list[Question], Contract]:
    refinement = Refinement(first.facts)
    questions: list[Question] = []
    contract = Contract()
    at = x.op

    def compare(left: Term, right: Term, what: str) -> bool:
        mismatch = refinement.compare(left, right)
        if mismatch is not None:
            questions.append(_explain(second, mismatch, what, at))
        return mismatch is None

    compare(s.state.trace, x.state.trace, "the order of effects")
    if len(s.values) != len(x.values):
        questions.append(Question("the functions have as many results", other, "signature"))
        return questions, contract
    for k, (left, right) in enumerate(zip(s.values, x.values, strict=True)):
        what = f"result {k}"
        if isinstance(left, Term) and isinstance(right, Term):
            compare(left, right, what)
            continue
        value = left if isinstance(left, Term) else first.read(left, s.state)
        if isinstance(right, Term):
            compare(value, right, what)
            continue
        content = second.read(right, x.state)
        if not _same_sizes(refinement, value, content):
            questions.append(Question(f"{what} has the sizes it had", at, "sizes"))
        compare(value, content, what)
        _describe_result(contract, k, right, x)
    for i, arg in enumerate(original.body.entry.args):
        _compare_argument(first, second, s, x, i, arg, contract, compare)
    for name, base in second.globals.items():
        if base.readonly is None and name in first.globals:
            compare(s.state.content(first.globals[name]), x.state.content(base), f"the contents of '@{name}'")
        elif base.readonly is None:
            compare(base.initial, x.state.content(base), f"the contents of '@{name}'")
    for name, base in first.globals.items():
        if name not in second.globals and s.state.content(base) is not base.initial:
            questions.append(
                Question(f"the contents of '@{name}' change as in the original", other, "content")
            )
    return questions, contract


def _same_sizes(refinement: Refinement, left: Term, right: Term) -> bool:
    if refinement.facts.same_shape(left.shape, right.shape, ()):
        return True
    if left.shape is None or right.shape is None or len(left.shape) != len(right.shape):
        return False
    return all(refinement.compare(a, b) is None for a, b in zip(left.shape, right.shape, strict=True))


def _describe_result(contract: Contract, k: int, right: Any, x: Exit) -> None:
    """Which buffer a result is."""
    contract.results[k] = "some"
    bases = bases_of(right)
    shared = {base for each in bases for base in (each, *each.overlaps) if base.kind == GLOBAL}
    contract.globals[k] = {base.name[1] for base in shared if base.name is not None}
    if isinstance(right, Pointer) and not right.steps:
        base = right.base
        if base.kind == ARGUMENT and base.name is not None and not base.overlaps:
            contract.results[k] = base.name[1]
        elif base.kind in (ALLOC, GIVEN) and not base.overlaps and _only(right, x):
            contract.results[k] = None
            contract.owned.add(k)
    elif all(base.kind == ALLOC for base in bases) and _only(right, x):
        contract.results[k] = None
        contract.owned.add(k)


def _only(reference: Any, x: Exit) -> bool:
    """Whether no other result is in the same buffer."""
    mine = bases_of(reference)
    return (
        not any(
            other is not reference and not isinstance(other, Term) and bases_of(other) & mine
            for other in x.values
        )
        and sum(other is reference for other in x.values) == 1
    )


def _compare_argument(
    first: Executor, second: Executor, s: Exit, x: Exit, i: int, arg: Any, contract: Contract, compare: Any
) -> None:
    held = second.arguments[i]
    if not isinstance(held, Pointer):
        return
    base = held.base
    content = x.state.content(base)
    if t.is_memref(arg.type):
        mine = first.arguments[i]
        compare(s.state.content(mine.base), content, f"the contents of argument {i}")
    elif content is not base.initial or base in second.written:
        contract.written.add(i)
        for k, value in enumerate(s.values):
            if (
                isinstance(value, Term)
                and value.shape is not None
                and Refinement(first.facts).compare(value, content) is None
            ):
                contract.equal[i] = k
                break


def _explain(second: Executor, mismatch: Mismatch, what: str, at: Operation | None) -> Question:
    """The read that misses, and the write that destroyed what it should have seen."""
    reader = next((second.origin[term] for term in reversed(mismatch.readers) if term in second.origin), at)
    made = second.origin.get(mismatch.transformed)
    if made is not None and made in second.before:
        reader, writer = made, second.before[made]
    else:
        writer = second.before.get(reader) if reader is not None and reader in second.before else made
    if writer is made and made not in second.written.values():
        writer = None  # it computes a value that differs, and writes nothing
    text = f"{what} is what it was"
    if mismatch.transformed.op == "undef":
        text = f"{what} is what it was: memory is read that was never written"
    elif mismatch.transformed.op == "junk":
        text = f"{what} is what it was: what may share memory with it was written"
    return Question(text, reader, "content", writer)


def _is_private(function: Operation) -> bool:
    """Whether all calls of a function are in this program."""
    return getattr(function.properties.get("sym_visibility"), "value", "public") == "private"


def _leaks(x: Exit, is_private: bool, questions: list[Question]) -> None:
    """What is allocated is freed, or a result. Callers of a private function know which results are arguments; others own them all."""
    from .logic import implied

    kept: dict[Any, Term] = {}
    for value in x.values:
        if isinstance(value, (Pointer, Choice)):
            for path, ref in alternatives(value):
                kept[ref.base.home] = either(kept.get(ref.base.home, FALSE), conjunction(path))
    for base, life in x.state.alive.items():
        if not base.owned or life is FALSE or base.kind not in (ALLOC, GIVEN):
            continue
        if not implied([*x.state.path, (life, True)], kept.get(base, FALSE)):
            questions.append(Question("what is allocated is freed or returned", base.op, "leak"))
    for value in x.values:
        kinds = {base.kind for base in bases_of(value)} if isinstance(value, (Pointer, Choice)) else set()
        if ARGUMENT in kinds and not (is_private and kinds == {ARGUMENT}):
            questions.append(Question("a result is memory of its own", x.op, "leak"))
