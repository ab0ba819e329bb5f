"""Symbolic execution of one program, and the obligations it leaves open.

An `Executor` executes functions operation by operation. The `semantics_...` modules register a handler for each operation name;
a handler of an operation with regions is a generator that yields the generators of nested executions, so that nesting does not
use Python's stack.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ir.program import traits as tr
from ..ir.program.core import Block, Operation, Region, Value
from ..ir.program.following import may_follow
from ..ir.program.interfaces import CallOpInterface
from ..ir.source.diagnostics import expect
from ..ir.source.metadata import Section
from ..ir.types import types as t
from ..ir.types.attributes import TypeAttr
from . import contents as c
from .facts import Path, Touch, implied, touching
from .obligations import Obligations
from .ranges import Box
from .state import (
    ALLOC,
    ARGUMENT,
    CARRIED,
    GIVEN,
    GLOBAL,
    GLOBALS,
    STACK,
    Base,
    MemoryState,
    Pointer,
    Reference,
    Symbols,
    alternatives,
    conjunction,
    global_value,
    is_box,
    literal,
    read_along,
    region,
    repeats,
    scope_of,
    write_along,
)
from .stored import Stored
from .terms import FALSE, TRUE, Shape, Term, choose, make, number

Steps = Generator[Any, Any, Any]
Handler = Callable[["Executor", Any, MemoryState], "Steps | None"]

HANDLERS: dict[str, Handler] = {}
ON_ELEMENTS = "elementwise on tensors"
"""The name of the handler of operations on scalars that are applied to each element of tensors."""

CLAIMS: list[Callable[[Executor, Operation, MemoryState], None]] = []
"""Checks of the promises that operations make in addition to their semantics (`promises`)."""

_MODULES = {
    "arith": "scalars poison",
    "affine": "control memory",
    "index": "scalars poison",
    "llvm": "scalars poison",
    "math": "scalars",
    "ub": "scalars poison",
    "tensor": "tensors",
    "memref": "memory views control tensors",
    "bufferization": "memory tensors",
    "scf": "control",
    "cf": "control",
    "func": "calls unknown",
    "linalg": "structured memory",
    "vector": "vectors structured views scalars",
    "test": "structured memory",
    "ml_program": "memory",
    "shape": "control",
    **dict.fromkeys(("quantum", "gradient"), "unknown"),
}
"""The modules with the handlers of each dialect, imported lazily."""

MAX_STEPS = 3_000_000
"""Operations that one proof may execute, counting a loop body again each time a hypothesis is dropped; beyond, it is open."""


@dataclass(slots=True, kw_only=True)
class Executor(Obligations):
    """Symbolically executes the functions of one module.

    Attributes:
        once: the loops of structured operations with one iteration, by level and number.
        frees: whether the program frees memory, so that ownership is checked.
        visible: externally visible memory in both programs: memref arguments of the original, and globals.
        escaped: memory passed to unknown functions in both programs, with the call, the operand index, and the path.
        kept: each such passing, with the operand index, the path, and all conditions of it.
        addressed: bases whose address was taken.
        decided: the arguments that decide branches, loops and sizes, other than in the original.
        at_once: loops that are unrolled, with the factor.
        stored: the buffers that were stored in memory, in order.
        transfers: asynchronous transfers that may still run, by the starting operation, with the memory they access.
    """

    module: Operation
    symbols: Symbols
    other_symbols: Symbols
    contracts: dict[str, Any]
    env: dict[Value, Any] = field(default_factory=dict)
    origin: dict[Term, Operation] = field(default_factory=dict)
    globals: dict[str, Base] = field(default_factory=dict)
    written: dict[Base, Operation | None] = field(default_factory=dict)
    before: dict[Operation, Operation | None] = field(default_factory=dict)
    fresh: int = 0
    steps: int = 0
    mask: Term | None = None
    arguments: list[Any] = field(default_factory=list)
    unrolling: int = 0
    once: set[tuple[int, int]] = field(default_factory=set)
    frees: bool = False
    signatures: dict[str, Any] = field(default_factory=dict)
    looked_at: set[Base] = field(default_factory=set)
    decided: set[int] = field(default_factory=set)
    regions: dict[Base, dict[Any, Base]] = field(default_factory=dict)
    ranges_of: dict[Base, Any] = field(default_factory=dict)
    at_once: dict[Operation, int] = field(default_factory=dict)
    addressed: set[Base] = field(default_factory=set)
    stored: dict[Base, Stored] = field(default_factory=dict)
    transfers: dict[Operation, set[Base]] = field(default_factory=dict)
    visible: set[Base] = field(default_factory=set)
    escaped: dict[Base, tuple[Term, object, Term]] = field(default_factory=dict)
    kept: dict[Base, dict[tuple[object, Term, Path], None]] = field(default_factory=dict)

    def run(self, steps: Steps | None) -> Any:
        """Run a generator of generators to completion, with an explicit stack."""
        stack: list[Steps] = [steps] if steps is not None else []
        given: Any = None
        while stack:
            try:
                called = stack[-1].send(given)
            except StopIteration as end:
                stack.pop()
                given = end.value
            else:
                stack.append(called)
                given = None
        return given

    def block(self, block: Block, state: MemoryState) -> Steps:
        """Execute the operations of a block. Returns the terminator."""
        last: Operation | None = None
        for op in block:
            last = op
            handler = handler_of(op)
            if op.next_op is None and op.may_be_terminator and handler is HANDLERS["*"]:
                break
            self.steps += 1
            if self.steps > MAX_STEPS:
                self.give_up("the program is too large", op, "size")
            self.current = op
            if op.attributes or (op.properties and not _PROMISES.isdisjoint(op.properties)):
                for claim in CLAIMS:
                    claim(self, op, state)
            steps = handler(self, op, state)
            if steps is not None:
                yield steps
        return last

    def region(self, body: Region, args: Sequence[Any], state: MemoryState) -> Steps:
        """Execute a region of one block with these arguments. Returns the terminator."""
        if not body.has_one_block:
            self.give_up("a region of several blocks here")
        entry = body.entry
        for arg, value in zip(entry.args, args, strict=True):
            self.env[arg] = value
        last = yield self.block(entry, state)
        if last is not None:
            self.end_scope(body, [self.env[value] for value in last.operands if value in self.env], state)
        return last

    def end_scope(self, body: Region, values: Sequence[Any], state: MemoryState) -> None:
        """End the lifetime of the scope's stack buffers; `values` must not contain one of them."""
        around = body.parent_op
        if around is None or not around.has_trait(tr.AUTOMATIC_ALLOCATION_SCOPE):
            return
        ending = {base for base in state.alive if base.kind == STACK and scope_of(base.op) is around}
        if not ending:
            return
        for i, held in enumerate(values):
            if isinstance(held, Term) or not any(ref.base.home in ending for _, ref in alternatives(held)):
                continue
            key = ("outlives", around.name, i)
            if not self.transformed:
                self.facts.say_legal(key, state.path)
            elif not self.facts.is_legal(key, state.path):
                self.ask(False, "a stack buffer is not used when its scope has ended", "lifetime")
        later = any(map(self.is_unknown_call, may_follow(around)))
        for base in ending:
            state.alive[base] = FALSE
            for k, passed, path in self.kept.get(base, ()):
                if not self.transformed:
                    self.facts.say_legal(("stack kept", k, passed), state.path)
                    continue
                is_legal = self.facts.is_legal if later else self.facts.is_legal_sooner_or_later
                good = any(is_legal((end, k, passed), (*state.path, *path)) for end in _ENDS)
                self.ask(good, "a stack buffer is not retained by a callee", "lifetime")

    # -- values

    @property
    def resources(self) -> Section:
        """The resources of the file that the program was read from."""
        return self.module.where[0].metadata if self.module.where is not None else {}

    def get(self, value: Value) -> Any:
        return self.env[value]

    def scalar(self, value: Value | int) -> Term:
        return number(value) if isinstance(value, int) else self.env[value]

    def scalars(self, values: Sequence[Value | int]) -> tuple[Term, ...]:
        return tuple(number(v) if isinstance(v, int) else self.env[v] for v in values)

    def set(self, value: Value, term: object, op: Operation | None = None) -> None:
        """Set the result of an operation. A memref must be a reference: of an opaque one nobody knows what it may alias."""
        if isinstance(term, Term) and t.is_memref(value.type):
            self.give_up("which buffer is loaded from memory", op, "unknown")
        self.env[value] = term
        if op is not None and isinstance(term, Term):
            self.origin.setdefault(term, op)

    def new(self) -> int:
        self.fresh += 1
        return self.fresh

    def junk(self, shape: Shape | None, type: t.Type | None = None) -> Term:
        """An unknown value, equal to no other one."""
        return make("junk", (self.transformed, self.new()), shape=shape, type=type, undefined=True)

    def undefined(self, shape: Shape | None) -> Term:
        """Uninitialized contents: in the original, each read may see a different value."""
        return c.undef(shape, self.new() if self.transformed else None)

    def shape_of(self, value: Value) -> Shape | None:
        held = self.env[value]
        return held.shape

    def dimension(self, value: Value, index: int) -> Term:
        """The size of a tensor or memref."""
        sizes = expect(t.ShapedType, value.type).shape
        if sizes is not None and sizes[index] is not None:
            return number(sizes[index] or 0)
        shape = self.shape_of(value)
        if shape is None:
            return make("size", ("of", index), (self.content_of(value, None),), type=t.INDEX)
        return shape[index]

    def content_of(self, value: Value, state: MemoryState | None) -> Term:
        """The contents of a tensor, or of a memref in this memory state."""
        held = self.env[value]
        if isinstance(held, Term):
            return held
        if state is None:
            self.give_up("the size of a memref of unknown rank")
        assert state is not None
        return self.read(held, state)

    def is_unknown_call(self, op: Operation) -> bool:
        """Whether an operation calls a function without a body, directly or transitively."""
        if not isinstance(op, CallOpInterface):
            return False
        symbol = op.callee_symbol()
        return (
            symbol is None or symbol.root not in self.symbols or symbol.root in self.symbols.calling_unknown
        )

    # -- memory

    def read(
        self, reference: Reference, state: MemoryState, part: Box | None = None, op: Operation | None = None
    ) -> Term:
        """The contents of a reference, or of a box of them."""
        found: Term | None = None
        for path, ref in reversed(alternatives(reference)):
            content = state.content(ref.base)
            for condition, holds in path:
                content = c.assumed(content, condition, holds)
            self._check_alive(ref.base, state, path, "read")
            self.looked_at.add(ref.base.home)
            if self.current is not None and ref.base in self.written:
                self.before[self.current] = self.written[ref.base]
            self.log(ref, part, False, (*state.path, *path))
            value = read_along(content, ref.steps)
            if part is not None:
                value = c.ext(value, part)
            found = value if found is None else choose(conjunction(path), value, found)
        assert found is not None
        return found

    def write(
        self,
        reference: Reference,
        value: Term,
        state: MemoryState,
        part: Box | None = None,
        by: object = None,
    ) -> None:
        """Write contents to a reference, or to a box of it.

        Args:
            by: the callee or unknown operation that may write there, and its operand.
        """
        options = alternatives(reference)
        for path, ref in options:
            base = ref.base
            old = state.content(base)
            self._check_alive(base, state, path, "written")
            partly = part is not None or ref.steps or value.op not in _AS_A_WHOLE
            if (base.folds and partly) or any(map(repeats, ref.steps)):
                self.give_up("a write to memory whose elements overlap")
            self.check_writable(base, (*state.path, *path), by)
            self.log(ref, part, True, (*state.path, *path))
            inner = value
            if part is not None:
                inner = c.ins(read_along(old, ref.steps), value, part)
            new = write_along(old, inner, ref.steps)
            for condition, holds in reversed(path):
                new = choose(condition, new, old) if holds else choose(condition, old, new)
            self.put(base, new, state)
            if self._is_owned_elsewhere(base.home):
                state.trace = make("event", "written elsewhere", (state.trace, new))

    def _is_owned_elsewhere(self, base: Base) -> bool:
        """Whether others find what is written to memory, but nothing compares it later: what unknown code returned, and what an
        iteration gave to it."""
        if base.kind == CARRIED and not base.owned:
            return any(other.kind == GIVEN for other in self.escaped)
        return base in self.escaped and base not in self.visible and (base.kind == GIVEN or base.level > 0)

    def check_writable(self, base: Base, path: Path, by: object = None) -> None:
        """Check that written memory is no constant, and written by the source too if others see it (or restoring it may fail)."""
        key = ("written", base.name, by)
        if not self.transformed:
            if base.name is not None:
                self.facts.say_legal(key, path)
            return
        if base.readonly or base.kind == GLOBAL or base in self.visible:
            what = (
                f"nothing writes to {base.readonly}" if base.readonly else "the original writes this memory"
            )
            if not self.facts.is_legal_in_any_case(key, path):
                self.ask_legal([key], path, what, "constant")
        for other in base.overlaps if base.kind not in (ARGUMENT, GLOBAL) else ():
            if other.readonly and other.kind in (ARGUMENT, GLOBAL):
                self.ask(False, f"nothing writes to what may be {other.readonly}", "constant")
                return

    def put(self, base: Base, content: Term, state: MemoryState) -> None:
        """Set the contents of a base, and clobber bases that may alias it."""
        state.contents[base] = content
        self.written[base] = self.current
        if self.current is not None:
            self.origin.setdefault(content, self.current)
        copies = set(base.copies)
        for other in base.overlaps:
            state.contents[other] = self.clobbered(other, base, content, state)
            self.written[other] = self.current
            copies |= other.copies
        if (
            copies and content.op == "after"
        ):  # by unknown code, to which the original may have passed a clone as well
            key = ("clone written", content.attr, state.passed)
            if not self.transformed:
                self.facts.say_legal(key, state.path)
            elif self.facts.is_legal(key, state.path):
                return
        for copy in copies - {base} if self.transformed else ():
            state.contents[copy] = self.junk(copy.shape)
            self.written[copy] = self.current

    def clobbered(self, other: Base, base: Base, content: Term, state: MemoryState) -> Term:
        """The contents of `other` after a write to `base`, which may alias it.

        Named bases have the same addresses in both programs, and so have regions of one allocation: the result is a function of
        the written contents.
        """
        mine, its = other.name or other.key, base.name or base.key
        if mine is not None and its is not None and (other.name is None) == (base.name is None):
            return make("clobber", (mine, its), (state.content(other), content), shape=other.shape)
        return self.junk(other.shape)

    def log(self, ref: Pointer, part: Box | None, writes: bool, path: Path) -> None:
        if self.accesses is not None:
            op, numbers = touching(self.current, self.env)
            self.accesses.append(
                Touch(ref.base, region(ref, part), writes, op, path, is_box(ref, part), numbers)
            )

    def _check_alive(self, base: Base, state: MemoryState, path: list[tuple[Term, bool]], what: str) -> None:
        if not self.transformed:
            return
        life = state.life(base)
        if life is not TRUE and not implied((*state.path, *path), life):
            self.ask(False, f"memory is still allocated when it is {what}", "use-after-free")

    def allocate(
        self,
        op: Operation | None,
        shape: Shape | None,
        state: MemoryState,
        *,
        stack: bool = False,
        initial: Term | None = None,
    ) -> Base:
        """A new allocation."""
        base = Base(STACK if stack else ALLOC, initial or self.undefined(shape), op, level=state.level)
        base.shape = shape
        base.owned = not stack
        base.reuses = frozenset(
            other.id for other in self.addressed if not implied(state.path, state.life(other))
        )
        state.alive[base] = TRUE
        state.contents[base] = base.initial
        return base

    def changing_globals(self) -> list[Base]:
        """The globals that a function may write, in the order of their names."""
        return [base for name in self.symbols.globals if (base := self.global_base(name)).readonly is None]

    def global_base(self, name: str) -> Base:
        """The memory of a global."""
        found = self.globals.get(name)
        if found is None:
            op = self.symbols.get(name)
            if op is None or op.name not in GLOBALS:
                self.give_up(f"there is no global '{name}'")
            type = expect(TypeAttr, op.properties["type"]).type
            if not t.is_tensor(type) and not t.is_memref(type):
                self.give_up("a global that is not a tensor")
            shape = tuple(map(number, expect(t.ShapedType, type).static_shape))
            value, constant = global_value(op)
            if constant and value is not None:
                content = literal(value, shape, self.resources)
            else:
                content = make("sym", ("global", name), shape=shape)
            found = Base(
                GLOBAL, content, op, ("global", name), f"'@{name}', a constant" if constant else None
            )
            self.globals[name] = found
        return found


_ENDS = ("stack kept", "free kept")
"""How the original ends the lifetime of escaped memory."""

_AS_A_WHOLE = frozenset(["after", "call after", "fill", "junk", "reached", "undef"])
"""Contents that do not depend on the positions of elements."""


LIBRARY_CALL = "library_call"

_PROMISES = frozenset(["overflowFlags", "fastmath", "fastmathFlags", "isExact", "nonNeg", "nneg", "isDisjoint", "disjoint", "exact",
                       "alignment", "restrict", "writable", "arg_attrs", "res_attrs", LIBRARY_CALL])  # fmt: skip
"""Properties that promise something in addition to the semantics of an operation (`promises`)."""

UNIMPORTANT = frozenset(
    [
        "resultSegmentSizes",
        "alignment",
        "linalg.memoized_indexing_maps",
        "overflowFlags",
        "nontemporal",
        "__inplace_operands_attr__",
    ]
)
"""Attributes that say nothing about what an operation computes (some are promises)."""


def attributes_of(op: Operation) -> tuple[Any, ...]:
    """The attributes that determine the semantics of an operation, with defaults for absent ones."""
    said = op.properties
    if op.definition is not None and op.definition.defaults:
        said = {**op.definition.defaults, **said}
    return tuple((k, said[k]) for k in sorted(said) if k not in UNIMPORTANT)


def handler_of(op: Operation) -> Handler:
    of_tensors = op.op_operands and isinstance(op.op_operands[0].value.type, t.RankedTensorType)
    name = ON_ELEMENTS if of_tensors and op.has_trait(tr.ELEMENTWISE) else op.name
    found = HANDLERS.get(name)
    if found is None:
        for module in (*_MODULES.get(op.dialect, "").split(), "tensors", "generic"):
            importlib.import_module(f".semantics_{module}", __package__)
        found = HANDLERS.get(name) or HANDLERS["*"]
        HANDLERS[name] = found
    return found


def semantics(*names: str) -> Callable[[Handler], Handler]:
    """Registers the handler of operations."""

    def register(handler: Handler) -> Handler:
        for name in names:
            HANDLERS[name] = handler
        return handler

    return register
