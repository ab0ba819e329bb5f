"""Function contracts: what the target does with its buffer arguments, and what the source implies about results.

A *contract* is derived when a function is compared, and used for its callers, which are compared later. For
mutually recursive functions contracts are assumed, and hold if the derived ones are no worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..ir.program.core import Operation
from ..ir.program.interfaces import CallOpInterface, FunctionOp
from ..ir.types import types as t
from .facts import implied
from .state import ALLOC, ARGUMENT, GIVEN, GLOBAL, Held, MemoryState, Pointer, Reference, Symbols, bases_of
from .terms import FALSE, TRUE, Shape, Term, arguments_in, make

if TYPE_CHECKING:
    from .blocks import Exit
    from .machine import Executor
    from .observables import Ends


@dataclass(slots=True)
class Contract:
    """The effect of a function of the target on its buffer arguments.

    Attributes:
        written: the arguments whose contents may change, of those that are tensors in the source.
        changed: the memrefs of the source among the arguments that may be written.
        read: the arguments whose contents may be read; None if unknown.
        results: for each result, the argument it is a whole view of, None for a buffer of its own, or "some" if
            unknown.
        owned: the results that the caller owns.
        equal: for a written argument, the result of the source whose value it then holds.
        globals: for each result, the globals that it may be.
        used: the mutable globals that may be read or written.
        freed: the arguments that may be freed; `freed_surely` are those of them that are, whichever way it runs.
        decided: the arguments whose values or contents decide a branch, loop or size, other than in the source.
        copies: for each result, the arguments of which it is a clone, or which are clones of it.
    """

    written: set[int] = field(default_factory=set)
    read: set[int] | None = None
    results: dict[int, int | str | None] = field(default_factory=dict)
    owned: set[int] = field(default_factory=set)
    equal: dict[int, int] = field(default_factory=dict)
    globals: dict[int, set[str]] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    copies: dict[int, set[int]] = field(default_factory=dict)
    freed: set[int] = field(default_factory=set)
    freed_surely: set[int] = field(default_factory=set)
    decided: set[int] = field(default_factory=set)

    def covers(self, found: Contract) -> bool:
        """Whether a derived contract is no worse than this assumed one."""
        return (
            found.written <= self.written
            and found.changed <= self.changed
            and found.used <= self.used
            and found.freed <= self.freed
            and self.freed_surely <= found.freed_surely
            and found.decided <= self.decided
            and all(self.results.get(k, "some") == v for k, v in found.results.items())
            and all(found.equal.get(i) == k for i, k in self.equal.items())
            and self.owned <= found.owned
            and (self.read is None or (found.read is not None and found.read <= self.read))
            and all(names <= self.globals.get(k, set()) for k, names in found.globals.items())
            and all(numbers <= self.copies.get(k, set()) for k, numbers in found.copies.items())
        )

    def wider(self, found: Contract) -> Contract:
        """The join of both contracts."""
        results = {k: v if self.results.get(k, v) in (v, None) else "some" for k, v in found.results.items()}
        shared = {k: names | found.globals.get(k, set()) for k, names in self.globals.items()}
        copies = {k: numbers | found.copies.get(k, set()) for k, numbers in self.copies.items()}
        return Contract(
            written=self.written | found.written,
            changed=self.changed | found.changed,
            used=self.used | found.used,
            read=None,
            results=results,
            owned=set(found.owned),
            equal=dict(found.equal),
            globals={**found.globals, **shared},
            copies={**found.copies, **copies},
            freed=self.freed | found.freed,
            freed_surely=set(found.freed_surely),
            decided=self.decided | found.decided,
        )


def worst_contract(function: FunctionOp) -> Contract:
    """The weakest contract, which holds for every function."""
    everything = set(range(len(function.function_type.inputs)))
    worst = Contract(everything, changed=everything)
    worst.results = dict.fromkeys(range(len(function.function_type.results)), "some")
    return worst


def contract_of(ends: Ends) -> Contract:
    """The contract of a function that was run."""
    contract = Contract(decided=set(ends.second.decided))
    second, s, x = ends.second, ends.source, ends.target
    looked_at = set(second.looked_at)
    contract.read = {
        i for i, held in enumerate(second.arguments) if isinstance(held, Pointer) and held.base in looked_at
    }
    changing = {base.name[1] for base in second.changing_globals() if base.name is not None}
    contract.used = {
        base.name[1]
        for base in (*looked_at, *second.written)
        if base.kind == GLOBAL and base.name is not None and base.name[1] in changing
    }
    if len(s.values) != len(x.values):
        return contract
    for k, right in enumerate(x.values):
        if not isinstance(right, Term):
            _describe_result(contract, k, right, x)
    for i, arg in enumerate(ends.original.body.entry.args):
        held = second.arguments[i]
        if not isinstance(held, Pointer):
            continue
        life = x.state.life(held.base)
        if life is not TRUE:
            contract.freed.add(i)
        if implied((*x.state.path, (life, True)), FALSE):
            contract.freed_surely.add(i)
        if t.is_memref(arg.type):
            if held.base in second.written:
                contract.changed.add(i)
            continue
        content = x.state.content(held.base)
        if content is held.base.initial and held.base not in second.written:
            continue
        contract.written.add(i)
        for k, value in enumerate(s.values):
            if (
                isinstance(value, Term)
                and value.shape is not None
                and ends.refinement.compare(value, content) is None
            ):
                contract.equal[i] = k
                break
    return contract


def needed_initialized(contract: Contract | None, function: FunctionOp) -> set[int]:
    """The arguments that must not be uninitialized: those by which only the target decides, and numbers that it uses.

    An uninitialized number differs from itself at another use, but terms cancel. Floating-point ones do not.
    """
    found = set(contract.decided) if contract is not None else set()
    reads = contract.read if contract is not None else None
    for i, type in enumerate(function.function_type.inputs):
        element = type.element if isinstance(type, t.ShapedType) else type
        if t.is_memref(type):
            used = reads is None or i in reads
        else:
            used = function.is_declaration or function.body.entry.args[i].has_uses
        if used and isinstance(element, (t.IntegerType, t.IndexType)):
            found.add(i)
    return found


def _describe_result(contract: Contract, k: int, right: Reference, x: Exit) -> None:
    """Determine which buffer a result is."""
    contract.results[k] = "some"
    bases = bases_of(right)
    shared = {base for each in bases for base in (each, *each.overlaps) if base.kind == GLOBAL}
    contract.globals[k] = {base.name[1] for base in shared if base.name is not None}
    copied = {
        copy.name[1]
        for base in bases
        for copy in base.copies
        if copy.kind == ARGUMENT and copy.name is not None
    }
    if copied:
        contract.copies[k] = copied
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


def _only(reference: Reference, x: Exit) -> bool:
    """Whether no other result is in the same buffer."""
    mine = bases_of(reference)
    return (
        not any(
            other is not reference and not isinstance(other, Term) and bases_of(other) & mine
            for other in x.values
        )
        and sum(other is reference for other in x.values) == 1
    )


@dataclass(slots=True)
class Signature:
    """Properties of results that hold in the source for all arguments.

    Attributes:
        shapes: the result sizes, as terms over the argument sizes.
        same: the results equal to an argument, `("argument", i)`, or to an earlier result, `("result", k)`.
        ignored: the arguments whose contents nothing depends on.
        kept: the arguments that unknown code may retain; None if unknown.
        fresh: the results that are buffers which nothing else refers to.
        is_pure: whether calls return, and have no effect but their results and what they write to their arguments.
    """

    shapes: list[Shape | None]
    same: dict[int, tuple[str, int]] = field(default_factory=dict)
    ignored: set[int] = field(default_factory=set)
    kept: set[int] | None = None
    is_pure: bool = False
    fresh: frozenset[int] = frozenset()


def signature_of(first: Executor, values: Sequence[Held], state: MemoryState) -> Signature:
    """The signature of a source function that ends with these values in this state."""
    shapes = [value.shape for value in values]
    same: dict[int, tuple[str, int]] = {}
    for k, value in enumerate(values):
        if not isinstance(value, Term):
            continue
        if value.op == "sym" and value.attr[0] == "argument":
            same[k] = value.attr
        elif value in values[:k] and not value.undefined:
            same[k] = ("result", values.index(value))
    kept = {
        one.name[1]
        for base in first.given_away
        for one in (base, *(base.overlaps if base.kind != ARGUMENT else ()))
        if one.kind == ARGUMENT and one.name is not None
    }
    ignored = _ignored(values, state, first)
    bases = [base for value in values if not isinstance(value, Term) for base in bases_of(value)]
    fresh = frozenset(
        k
        for k, value in enumerate(values)
        if isinstance(value, Pointer)
        and (value.base.kind == ALLOC or isinstance(value.base.op, CallOpInterface))
        and not (value.base.overlaps or value.base.copies or value.base in first.escaped)
        and bases.count(value.base) == 1
    )
    return Signature(shapes, same, ignored, kept, _is_pure(first, values, state), fresh)


def _is_pure(first: Executor, values: Sequence[Held], state: MemoryState) -> bool:
    """Whether a source function that ends like this has no effects, if it returns: its calls need no order."""
    arguments = [held for held in first.arguments if isinstance(held, Pointer)]
    contents = [state.content(held.base) for held in arguments]
    return (
        not first.stored
        and state.trace is make("begin")
        and state.passed is make("begin")
        and all(isinstance(value, Term) and not value.undefined for value in (*values, *contents))
        and all(state.content(base) is base.initial for base in first.globals.values())
        and all(state.life(held.base) is TRUE for held in arguments)
    )


def _ignored(values: Sequence[Held], state: MemoryState, first: Executor) -> set[int]:
    """The arguments whose contents affect neither results, nor memory, nor observable effects, nor legality."""
    roots = [value for value in values if isinstance(value, Term)]
    if len(roots) < len(values):
        return set()
    left = [state.content(held.base) for held in first.arguments if isinstance(held, Pointer)]
    named = arguments_in([*roots, state.trace, *left, *state.contents.values(), *first.facts.terms()])
    return set() if named is None else set(range(len(first.arguments))) - named


def called_by(function: FunctionOp) -> set[str]:
    """The names of the functions called by `function`."""
    names = set()
    for op in function.walk():
        if isinstance(op, CallOpInterface):
            symbol: Any = op.callee_symbol()
            if symbol is not None:
                names.add(symbol.root if hasattr(symbol, "root") else symbol.value)
    return names


def always_returns(symbols: Symbols, name: str) -> bool:
    """Whether a call certainly returns: no transitive callee may loop forever, stop, or be unknown. O(these
    functions)."""
    pending, seen = [name], {name}
    while pending:
        current = pending.pop()
        function = symbols.get(current)
        if not isinstance(function, FunctionOp) or not function.body.has_one_block:
            return False
        for op in function.walk():
            if op is not function and not _ends(op):
                return False
        for callee in called_by(function):
            if callee in seen and not _is_disjoint(symbols, callee, current):
                return False
            if callee not in seen:
                seen.add(callee)
                pending.append(callee)
    return True


def _is_disjoint(symbols: Symbols, callee: str, caller: str) -> bool:
    """Whether a function does not call its caller again."""
    pending, seen = [callee], {callee}
    while pending:
        current = pending.pop()
        if current == caller:
            return False
        function = symbols.get(current)
        new = called_by(function) - seen if isinstance(function, FunctionOp) else set()
        seen |= new
        pending += new
    return True


_ENDING = frozenset(
    ["affine", "arith", "bufferization", "complex", "index", "linalg", "math", "memref", "scf", "tensor", "vector"]
)  # fmt: skip
"""The dialects whose operations terminate, except those that wait or loop on a condition."""


def _ends(op: Operation) -> bool:
    """Whether an operation terminates, given that nested ones do."""
    if (
        op.definition is None
        or op.successors
        or any(not r.has_one_block for r in op.regions if not r.is_empty)
    ):
        return False
    if op.name in ("scf.while", "memref.dma_wait", "affine.dma_wait"):
        return False
    return op.dialect in _ENDING or op.name in ("func.call", "func.return")


def call_groups(functions: dict[str, FunctionOp]) -> list[list[str]]:
    """The strongly connected components of the call graph, callees first."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(functions)
    for name, function in functions.items():
        graph.add_edges_from((name, callee) for callee in sorted(called_by(function)) if callee in functions)
    groups = list(nx.strongly_connected_components(graph))
    order = {name: i for i, name in enumerate(functions)}
    return [sorted(group, key=order.__getitem__) for group in groups]
