"""The list of observables, on which source and target are compared.

Some observables are compared at the end of two functions, or between two modules: these have a comparison function
here. Others are obligations of the target during execution (an index in bounds, a live buffer), which the source is
assumed to meet. The symbolic executor emits these as questions of certain kinds; the list assigns the kinds to
observables.

Anything not listed is unobservable: which operations compute a value, where it is stored, in which order pure
operations run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from ..dialects.function_like import FunctionLikeOp
from ..ir.program.core import Operation
from ..ir.program.interfaces import AllocationOp, FunctionOp
from ..ir.types import types as t
from ..ir.types.attributes import IntegerAttr
from . import contents as c, modules
from .blocks import Exit
from .facts import Facts
from .machine import Executor
from .modules import Compared, Modules, is_private
from .obligations import Question
from .promises import is_aligned
from .refine import Mismatch, Refinement
from .semantics_views import whole_ref
from .state import (
    ALLOC,
    ARGUMENT,
    GIVEN,
    GLOBAL,
    STACK,
    Base,
    Choice,
    Pointer,
    alternatives,
    bases_of,
    conjunction,
    passed_since,
    read_along,
)
from .terms import FALSE, TRUE, Term, both, either


class Compares(Protocol):
    """A comparison of terms: by search (`refine`), or by recorded steps (`checker`)."""

    facts: Facts
    derivations: list[list[str] | None]

    def compare(self, original: Term, transformed: Term, /) -> Mismatch | None: ...


@dataclass(slots=True)
class Ends:
    """One function of both programs, after both were run."""

    first: Executor
    second: Executor
    source: Exit
    target: Exit
    original: FunctionOp
    other: FunctionOp
    leaks: bool
    refinement: Compares = field(init=False)

    def __post_init__(self) -> None:
        self.first.facts.here = passed_since(self.source.state.passed)
        self.refinement = Refinement(self.first.facts)

    def same(self, left: Term, right: Term, what: str) -> Question | None:
        """The question that remains open unless both terms are equal; None if they are."""
        mismatch = self.refinement.compare(left, right)
        return None if mismatch is None else _explained(self.second, mismatch, what, self.target.op)

    def returned(self, k: int) -> object:
        """The operand of the source's return for result k."""
        last = self.source.op
        return last.operands[k] if last is not None and k < len(last.operands) else object()

    def ask(self, holds: bool, text: str, kind: str) -> Question | None:
        return None if holds else Question(text, self.target.op, kind)


@dataclass(frozen=True, slots=True)
class Observable:
    """An observable property of programs.

    Attributes:
        name: a word or two.
        statement: the requirement on the target.
        kinds: the kinds of questions that stay open if it could not be proved.
        of_function, of_modules: the comparison at the end of two functions, or between two modules.
    """

    name: str
    statement: str
    kinds: frozenset[str]
    of_function: Callable[[Ends], Iterator[Compared]] | None = None
    of_modules: Callable[[Modules], Iterator[Compared]] | None = None


# -- at the end of two functions


def _results(ends: Ends) -> Iterator[Compared]:
    source, target = ends.source, ends.target
    if len(source.values) != len(target.values):
        yield "results", Question("the functions have equally many results", ends.other, "signature")
        return
    for k, (left, right) in enumerate(zip(source.values, target.values, strict=True)):
        what = f"result {k}"
        if isinstance(left, Term) and isinstance(right, Term):
            yield what, ends.same(left, right, what)
            continue
        value = left if isinstance(left, Term) else ends.first.read(left, source.state)
        if isinstance(right, Term):
            yield what, ends.same(value, right, what)
            continue
        content = ends.second.read(right, target.state)
        if content.shape is None:  # of unknown rank: the source asserts what it is
            value = c.unranked(value)
        if not _same_sizes(ends.refinement, value, content):
            yield what, Question(f"the sizes of {what} are unchanged", target.op, "sizes")
        yield what, ends.same(value, content, what)


def _same_sizes(refinement: Compares, left: Term, right: Term) -> bool:
    if refinement.facts.same_shape(left.shape, right.shape, refinement.facts.here):
        return True
    if left.shape is None or right.shape is None or len(left.shape) != len(right.shape):
        return False
    return all(refinement.compare(a, b) is None for a, b in zip(left.shape, right.shape, strict=True))


def _sharing(ends: Ends) -> Iterator[Compared]:
    """Which memory the results are: a caller who writes to one observes its aliases."""
    if len(ends.source.values) != len(ends.target.values):
        return
    for k, (left, right) in enumerate(zip(ends.source.values, ends.target.values, strict=True)):
        if not isinstance(right, (Pointer, Choice)):
            continue
        what = f"which memory result {k} is"
        known = set() if isinstance(left, Term) else {ref.base.name for _, ref in alternatives(left)} - {None}
        for _, ref in alternatives(right):
            base = ref.base.home
            was_stack = not isinstance(left, Term) and any(b.kind == STACK for b in bases_of(left))
            text = ""
            if base.kind == STACK and not was_stack:
                text = "not a stack buffer, which is released when the function returns"
            elif base.kind == ARGUMENT and base.name is None:
                text = "not in scratch memory, which its caller uses again"
            elif base.kind == GLOBAL and base.name not in known and (ends.leaks or base.readonly is None):
                text = "fresh memory, not a global"
            if text:
                yield what, ends.ask(False, f"result {k} is {text}", "lifetime")
        if isinstance(left, Pointer) and isinstance(right, Pointer):
            named = left.base.name if left.base.kind in (ARGUMENT, GLOBAL) else None
            its = right.base.name if right.base.kind in (ARGUMENT, GLOBAL) else None
            its_own = right.base.kind == ALLOC and (
                ends.leaks or _is_clone(right.base.op)
            )  # callers own the results
            good = named == its and (named is None or _same_view(ends, left, right))
            good = good or _is_clone(left.base.op)
            good = (good or its_own) and left.base.allocator == right.base.allocator
            yield what, ends.ask(good, f"result {k} is the same memory as before", "lifetime")
            text = f"the alignment of result {k}"
            yield text, ends.ask(_as_aligned(left, right), f"{text} is unchanged", "alignment")
            for j, (other, another) in enumerate(
                zip(ends.source.values[:k], ends.target.values[:k], strict=True)
            ):
                if isinstance(other, Pointer) and isinstance(another, Pointer):
                    good = its_own or (other.base is left.base) == (another.base is right.base)
                    text = f"results {j} and {k} share memory exactly as before"
                    yield what, ends.ask(good, text, "lifetime")


def _same_view(ends: Ends, left: Pointer, right: Pointer) -> bool:
    """Whether two references to one buffer denote the same elements."""
    mine, its = (read_along(ref.base.initial, ref.steps) for ref in (left, right))
    return ends.refinement.compare(mine, its) is None


def _is_clone(op: Operation | None) -> bool:
    """Whether an operation yields a copy or the same memory, which is unobservable."""
    return op is not None and (
        op.name in ("bufferization.clone", "bufferization.to_buffer") or bool(getattr(op, "is_clone", False))
    )


def _as_aligned(left: Pointer, right: Pointer) -> bool:
    said = (
        left.base.op.properties.get("alignment")
        if left.base.kind == ALLOC and left.base.op is not None
        else None
    )
    return (
        not isinstance(said, IntegerAttr)
        or right.base.home.kind != ALLOC
        or is_aligned(right, (), said.value)
    )


def _arguments(ends: Ends) -> Iterator[Compared]:
    for i, arg in enumerate(ends.original.body.entry.args):
        held = ends.second.arguments[i]
        if isinstance(held, Pointer) and t.is_memref(arg.type):
            mine = ends.source.state.content(ends.first.arguments[i].base)
            what = f"the contents of argument {i}"
            yield what, ends.same(mine, ends.target.state.content(held.base), what)


def _stored_buffers(ends: Ends) -> Iterator[Compared]:
    """The buffers that both programs store in their caller's memory correspond, like results."""
    mine, its = list(ends.first.stored.values()), list(ends.second.stored.values())
    what = "stored buffers"
    if mine or its:
        where = [one.where for one in mine] == [one.where for one in its]
        yield what, ends.ask(where, "the same buffers are stored in the same places", "lifetime")
        alone = all(
            one.is_left_alone(end.values, end.state)
            for found, end in ((mine, ends.source), (its, ends.target))
            for one in found
        )
        yield what, ends.ask(alone, "nothing else uses a buffer that was stored", "lifetime")
    for k, (left, right) in enumerate(zip(mine, its, strict=False)):
        what = f"stored buffer {k}"
        value, content = ends.source.state.content(left.base), ends.target.state.content(right.base)
        if not _same_sizes(ends.refinement, value, content):
            yield what, Question(f"the sizes of {what} are unchanged", ends.target.op, "sizes")
        yield what, ends.same(value, content, what)
        good = left.base.allocator == right.base.allocator and _as_aligned(
            *map(whole_ref, (left.base, right.base))
        )
        yield what, ends.ask(good, f"{what} is allocated and aligned as before", "alignment")


def _global_contents(ends: Ends) -> Iterator[Compared]:
    first, second, s, x = ends.first, ends.second, ends.source.state, ends.target.state
    for name, base in second.globals.items():
        if base.readonly is None:
            what = f"the contents of '@{name}'"
            held = s.content(first.globals[name]) if name in first.globals else base.initial
            yield what, ends.same(held, x.content(base), what)
    for name, base in first.globals.items():
        if name not in second.globals and s.content(base) is not base.initial:
            text = f"the final contents of '@{name}' are as in the original"
            yield f"the contents of '@{name}'", Question(text, ends.other, "content")


def _effects(ends: Ends) -> Iterator[Compared]:
    """Without facts about the end: earlier effects are observable even if the program never gets there."""
    what, facts = "the order of effects", ends.first.facts
    end, facts.here = facts.here, ()
    question = ends.same(ends.source.state.trace, ends.target.state.trace, what)
    _match_calls(ends)
    facts.here = end
    yield what, question


def _match_calls(ends: Ends) -> None:
    """Answer whether the source makes a call, too, where their arguments are equal but not identical."""
    facts, second = ends.first.facts, ends.second
    for waiting in list(second.waiting):
        question, keys, path = waiting
        if question.kind != "call":
            continue
        (_, called), *_ = keys
        known = [
            key[1]
            for key in facts.legal
            if isinstance(key, tuple)
            and key[0] == "call"
            and key[1].attr == called.attr
            and facts.is_legal(key, path)
        ]
        if any(ends.refinement.compare(one, called) is None for one in known):
            second.waiting.remove(waiting)
            second.questions.remove(question)


def _frees(ends: Ends) -> Iterator[Compared]:
    """Caller-owned memory that the source frees is freed, or returned."""
    from .facts import implied

    x, what = ends.target, "which arguments are freed"
    for i, held in enumerate(ends.first.arguments if not is_private(ends.other) else ()):
        its = ends.second.arguments[i]
        if not isinstance(held, Pointer) or not isinstance(its, Pointer):
            continue
        before = ends.source.state.life(held.base)
        if before is TRUE:
            continue
        for value in x.values:
            for path, ref in alternatives(value) if not isinstance(value, Term) else ():
                before = either(before, conjunction(path) if ref.base is its.base else FALSE)
        freed = implied([*x.state.path, (x.state.life(its.base), True)], before)
        yield what, ends.ask(freed, f"argument {i} is freed or returned if the original freed it", "lifetime")


def _leaks(ends: Ends) -> Iterator[Compared]:
    """Every allocation is freed or returned. Callers of a private function know which results are arguments; other
    callers own all results."""
    from .facts import implied

    if not ends.leaks:
        return
    x, what = ends.target, "leaked memory"
    yield what, None
    kept: dict[Base, Term] = {}
    for k, value in enumerate(x.values):
        if isinstance(value, (Pointer, Choice)):
            for path, ref in alternatives(value):
                base, here = ref.base.home, conjunction(path)
                before = kept.get(base, FALSE)
                if ends.returned(k) in map(ends.returned, range(k)):
                    pass  # the source returns it twice, too
                elif base.owned and not implied([*x.state.path, (both(before, here), True)], FALSE):
                    yield what, Question(f"result {k} shares no memory with other results", x.op, "leak")
                kept[base] = either(before, here)
    for base, life in x.state.alive.items():
        if not base.owned or life is FALSE or base.kind not in (ALLOC, GIVEN):
            continue
        if not implied([*x.state.path, (life, True)], kept.get(base, FALSE)):
            yield what, Question("all allocated memory is freed or returned", base.op, "leak")
    for one in ends.second.stored.values():
        callers = any(
            modules.is_named(ends.other.symbol_name, run.module) for run in (ends.first, ends.second)
        )
        if callers or not one.is_found(x.state):
            yield what, Question("a buffer that was stored is found by the caller", one.base.op, "leak")
    lent: set[Base] = set()
    for k, value in enumerate(x.values):
        bases = {base.home for base in bases_of(value)} if isinstance(value, (Pointer, Choice)) else set()
        kinds = {base.kind for base in bases}
        if is_private(ends.other) and kinds in ({ARGUMENT}, set()):
            continue
        if bases and _says_borrowed(ends.other, k):
            good = _says_borrowed(ends.original, k) or not (bases & lent or not _is_donated(ends, k, bases))
            if kinds != {ARGUMENT}:
                text = f"result {k} is an argument, because it declares that the caller does not own it"
                yield what, ends.ask(False, text, "leak")
            elif not good:
                text = f"result {k} is fresh memory, because no argument is donated for it"
                yield what, ends.ask(False, text, "leak")
            lent |= bases
        elif ARGUMENT in kinds and not _may_be_argument(ends, k):
            yield what, Question("a result is fresh memory", x.op, "leak")


def _may_be_argument(ends: Ends, k: int) -> bool:
    """Whether result k is only arguments that callers do not own, by the source, or know it to be: it frees or returns these."""
    value, its = (end.values[k] if k < len(end.values) else None for end in (ends.source, ends.target))
    if not isinstance(value, (Pointer, Choice)) or not isinstance(its, (Pointer, Choice)):
        return False
    known = {base.home.name for base in bases_of(value)}
    known |= {
        held.base.name
        for held in ends.first.arguments
        if isinstance(held, Pointer) and ends.source.state.life(held.base) is FALSE
    }
    return all(base.home.kind == ARGUMENT and base.home.name in known for base in bases_of(its))


def _says_borrowed(function: FunctionOp, k: int) -> bool:
    said = function.result_attr(k, "bufferization.owned") if isinstance(function, FunctionLikeOp) else None
    return isinstance(said, IntegerAttr) and said.type is t.I1 and not said.value


def _is_donated(ends: Ends, k: int, bases: set[Base]) -> bool:
    """Whether callers of the source donate the one argument that result k is."""
    given = ends.original.donated() if isinstance(ends.original, FunctionLikeOp) else {}
    result = ends.target.values[k]
    if isinstance(result, Term) or any(ref.steps for _, ref in alternatives(result)):
        return False  # a part of an argument
    places = {
        i
        for i, held in enumerate(ends.second.arguments)
        if isinstance(held, Pointer) and held.base.home in bases
    }
    return len(places) == 1 and all(given.get(i, -1) in (k, None) for i in places)


def _explained(second: Executor, mismatch: Mismatch, what: str, at: Operation | None) -> Question:
    """The read with the wrong value, and the write that clobbered it."""
    reader = next((second.origin[term] for term in reversed(mismatch.readers) if term in second.origin), at)
    made = second.origin.get(mismatch.transformed)
    if made is not None and made in second.before:
        reader, writer = made, second.before[made]
    else:
        writer = second.before.get(reader) if reader is not None and reader in second.before else made
    if writer is made and made not in second.written.values():
        writer = None  # it computes a different value, but does not write
    text = f"{what} is unchanged"
    if mismatch.transformed.op == "undef":
        text = f"{what} is unchanged: uninitialized memory is read"
    elif mismatch.transformed.op == "junk":
        text = f"{what} is unchanged: aliasing memory was written"
    return Question(text, reader, "content", writer)


def _memory_spaces(ends: Ends) -> Iterator[Compared]:
    """A program without tensors says where it allocates; one that names spaces for tensors has buffers in one of them, or in
    no other one. Casts between memory spaces are the program's own."""
    before, after = _spaces_in(ends.original), _spaces_in(ends.other)
    said = {space for space in before if not isinstance(space, tuple)}
    named = said - {None}
    is_moved = bool(named) and not named & after.keys()
    if is_moved or (said and not _has_tensors(ends.original)):
        for space, op in after.items():
            if not isinstance(space, tuple) and space not in before:
                yield "memory spaces", Question("buffers stay in their memory spaces", op, "signature")
    for space, op in after.items():
        if isinstance(space, tuple) and space[1] not in _cast_to(space[0], before):
            yield "memory spaces", Question("the original casts between these memory spaces", op, "signature")


def _has_tensors(function: Operation) -> bool:
    inside = (op for op in function.walk() if op is not function)
    return any(t.is_tensor(value.type) for op in inside for value in (*op.operands, *op.results))


def _cast_to(space: object, casts: Iterable[object]) -> set[object]:
    """The memory spaces that casts between pairs of them lead to, one after the other."""
    found = {space}
    pairs = [pair for pair in casts if isinstance(pair, tuple)]
    while new := {end for start, end in pairs if start in found} - found:
        found |= new
    return found


def _spaces_in(function: Operation) -> dict[object, Operation]:
    """The memory spaces of allocations, and the pairs that casts convert between, with an operation for each."""
    found: dict[object, Operation] = {}
    for op in function.walk():
        if op.name == "memref.memory_space_cast":
            spaces = tuple(getattr(value.type, "memory_space", None) for value in (*op.operands, *op.results))
            found.setdefault(spaces, op)
        elif op.name == "bufferization.alloc_tensor":
            found.setdefault(op.properties.get("memory_space"), op)
        elif isinstance(op, AllocationOp):
            for result in op.results:
                found.setdefault(getattr(result.type, "memory_space", None), op)
    return found


# -- the list


def _kinds(*names: str) -> frozenset[str]:
    return frozenset(names)


OBSERVABLES: tuple[Observable, ...] = (
    Observable("functions", "every function of every nested module exists, with the same interface, and no other function or module is public",
               _kinds("signature", "recursion"), of_modules=modules.compare_functions),
    Observable("other operations", "all other operations of a module are unchanged", _kinds("module"), of_modules=modules.compare_others),
    Observable("targets", "each module keeps its name, data layout and target", _kinds("module"), of_modules=modules.compare_targets),
    Observable("resources", "each resource has the same contents; names may differ", _kinds("resource"), of_modules=modules.compare_resources),
    Observable("globals", "each global has the same initial value, constness and final contents; no other is public",
               _kinds("global", "constant"), of_function=_global_contents, of_modules=modules.compare_globals),
    Observable("results", "each result has the same value and sizes, bit for bit, NaN payloads as the operations give them",
               _kinds("content", "sizes", "cast", "collapse", "layout"), of_function=_results),
    Observable("arguments", "the final contents of arguments are the same, and nothing is written to those that the original does not write", _kinds("content"), of_function=_arguments),
    Observable("stored buffers", "buffers that are stored in the caller's memory correspond, like results", _kinds("content", "sizes", "lifetime", "alignment"), of_function=_stored_buffers),
    Observable("effects", "unknown calls and operations happen in the same order, with the same operands and reachable memory, and so do writes to memory that they returned; assertions and termination of loops are preserved", _kinds("call", "unknown"), of_function=_effects),
    Observable("undefined behaviour", "indices are in bounds, nothing is divided by zero, no branch depends on uninitialized memory, no more results are poison, and operations promise no more than before (overflow, exactness, fastmath, unreachable blocks, attributes of other dialects)", _kinds("bounds", "division", "promise", "overlap", "index")),
    Observable("sharing", "a result is the same memory as before, or memory that nothing else refers to; no stack buffer outlives its scope",
               _kinds("lifetime", "alignment"), of_function=_sharing),
    Observable("frees", "memory is freed once, from its base, by its owner, as it was allocated, and not used afterwards; arguments that were freed are",
               _kinds("double-free", "bad-free", "use-after-free"), of_function=_frees),
    Observable("leaks", "memory that is allocated is freed or returned, unless leaks are allowed", _kinds("leak"), of_function=_leaks),
    Observable("races", "iterations of parallel loops do not write what others read or write", _kinds("race")),
    Observable("memory spaces", "arguments and results keep their memory spaces, and so do buffers if the original has no tensors; no cast between memory spaces is added", _kinds("signature"), of_function=_memory_spaces),
    Observable("alignment", "no operation assumes a larger alignment than before", _kinds("alignment")),
)  # fmt: skip
"""Everything that is compared."""

ASSUMED = (
    "the source is legal: its indices are in bounds, its promises hold, and its parallel iterations do not race",
    "index arithmetic does not overflow, no allocation has a negative size, and no slice a stride of 0",
    "unknown operations modify and free no memory but that of their operands and of globals that they name, and retain none of it",
    "memory that the source leaves undefined may have any contents, which may differ at each read",
)
"""The assumptions of a proof."""


def compare_functions(ends: Ends) -> tuple[list[str], list[Question]]:
    """Compare two executed functions on every observable: what was compared, and the open questions."""
    return _through(lambda one: one.of_function(ends) if one.of_function is not None else ())


def compare_modules(modules: Modules) -> tuple[list[str], list[Question]]:
    """Compare two modules on every observable other than their functions' behaviour."""
    return _through(lambda one: one.of_modules(modules) if one.of_modules is not None else ())


def _through(compare: Callable[[Observable], Iterable[Compared]]) -> tuple[list[str], list[Question]]:
    compared: dict[str, None] = {}
    questions: list[Question] = []
    for observable in OBSERVABLES:
        for what, question in compare(observable):
            compared[what] = None
            if question is not None:
                questions.append(question)
    return list(compared), questions
