"""Arenas of functions, callees first: layouts emitted as constants, or as arithmetic on sizes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ...analysis.causes import Cause, CauseKind
from ...analysis.fixpoint import needed_first, strongly_connected_components
from ...analysis.freeing.calls import CallsOfProgram
from ...analysis.memory_plan.buffers import Plan
from ...analysis.memory_plan.layout import (
    Amount,
    Item,
    Layout,
    alignment_of,
    check_fixed,
    fixed_offset,
    lay_out,
    refuse,
)
from ...analysis.memory_plan.lives import Life, Lives
from ...dialects import arith, func, memref
from ...dialects._memref_views import BEGINS_LIFE
from ...ir.program import traits as tr
from ...ir.program.builder import Builder
from ...ir.program.core import Block, BlockArgument, Operation, Value
from ...ir.program.interfaces import CastOp, LoopLikeOp, RegionBranchOp, ViewLikeOp
from ...ir.program.symbols import SymbolTable, symbol_name
from ...ir.source.diagnostics import expect, present
from ...ir.types import attributes as a, types as t
from .. import makers
from ..buffer_results_to_out_params import (
    NO_ATTRIBUTES,
    attributes_of,
    callee_name,
    calls_by_callee,
    functions_in,
    is_public,
    set_attributes,
    set_type,
)

# Emission of a layout: constants where offsets are static, else arithmetic on the sizes.


class Arithmetic:
    """Sums, products and maxima of `index` values at one insertion point; constants are created once.

    Attributes:
        builder: the insertion point.
        copies: values of the program, and their copies here.
        doubtful: extents that may be negative, because an allocation with them need not be reached; they then count
            as 0.
    """

    def __init__(self, builder: Builder, copies: dict[Value, Value], doubtful: Collection[Value]) -> None:
        self.builder = builder
        self.copies = copies
        self.doubtful = doubtful
        self._constants: dict[int, Value] = {}

    def constant(self, number: int) -> Value:
        if number not in self._constants:
            self._constants[number] = makers.index(self.builder, number)
        return self._constants[number]

    def binary(self, kind: type[Operation], left: Value, right: Value) -> Value:
        return makers.binary(self.builder, kind, left, right)

    def amount(self, amount: Amount) -> Value:
        """The size of an item in bytes."""
        found = self.constant(amount.factor)
        for extent in amount.extents:
            value = self.copy(extent)
            if extent in self.doubtful:
                value = self.binary(arith.MaxSIOp, value, self.constant(0))
            found = self.binary(arith.MulIOp, found, value)
        return found

    def rounded_up(self, offset: Value, alignment: int) -> Value:
        """The least multiple of `alignment` that is at least `offset`."""
        if alignment == 1:
            return offset
        raised = self.binary(arith.AddIOp, offset, self.constant(alignment - 1))
        whole = self.binary(arith.DivUIOp, raised, self.constant(alignment))
        return self.binary(arith.MulIOp, whole, self.constant(alignment))

    def copy(self, value: Value) -> Value:
        """`value`, recomputed here from the arguments of the function (requires `is_known_at_entry`)."""
        for current in needed_first(value, self.copies, lambda v: present(v.defining_op).operands):
            op = present(current.defining_op)
            clone = self.builder.insert(op.clone(self.copies))
            self.copies.update(zip(op.results, clone.results, strict=True))
        return self.copies[value]


def is_known_at_entry(value: Value, entry: Block, known: dict[Value, bool]) -> bool:
    """Whether a value can be computed from the function's arguments alone. Answers are cached in `known`."""
    waiting = [value]
    while waiting:
        current = waiting[-1]
        if current in known:
            waiting.pop()
            continue
        op = current.defining_op
        if op is None:
            known[current] = isinstance(current, BlockArgument) and current.owner is entry
        elif (
            op.regions
            or not (op.has_trait(tr.PURE) or isinstance(op, memref.DimOp))
            or (isinstance(op, ViewLikeOp) and not isinstance(op, CastOp))
        ):  # a view need not be valid at the entry
            known[current] = False
        else:
            missing = [operand for operand in op.operands if operand not in known]
            if missing:
                waiting += missing
                continue
            known[current] = all(known[operand] for operand in op.operands)
        waiting.pop()
    return known[value]


def offsets(layout: Layout, at: Arithmetic) -> list[Value]:
    """The offset of each item, as an `index` value."""
    found: dict[int, Value] = {}
    ends: dict[int, Value] = {}
    for i in layout.order:
        item = layout.items[i]
        if item.offset is not None:
            found[i] = at.constant(item.offset)
            continue
        found[i] = at.rounded_up(_highest(layout, item.below, found, ends, at), item.alignment)
    return [found[i] for i in range(len(layout.items))]


def size(layout: Layout, places: list[Value], at: Arithmetic) -> Value:
    """The size of the arena in bytes, as an `index` value."""
    if layout.size is not None:
        return at.constant(layout.size)
    return _highest(layout, layout.tops, dict(enumerate(places)), {}, at)


def _highest(
    layout: Layout, items: list[int], places: Mapping[int, Value], ends: dict[int, Value], at: Arithmetic
) -> Value:
    """The highest end of some items: the static ones as one number, the others compared at run time."""
    known: int | None = None
    found: Value | None = None
    for i in items:
        item = layout.items[i]
        if item.offset is not None and item.amount.static is not None:
            known = max(known or 0, item.offset + item.amount.static)
            continue
        if i not in ends:
            ends[i] = at.binary(arith.AddIOp, places[i], at.amount(item.amount))
        found = ends[i] if found is None else at.binary(arith.MaxUIOp, found, ends[i])
    if found is None:
        return at.constant(known or 0)
    return found if not known else at.binary(arith.MaxUIOp, found, at.constant(known))


@dataclass(frozen=True, slots=True)
class ArenaOptions:
    """The options of the pass."""

    as_argument: bool
    alignment: int
    extent: int
    mark: bool


@dataclass(slots=True)
class Need:
    """The arenas that a function needs from its caller: type and alignment for each memory space.

    `query` is the function that computes the dynamic sizes of these types, if there are any.
    """

    types: list[t.MemRefType] = field(default_factory=list)
    alignments: list[int] = field(default_factory=list)
    query: func.FuncOp | None = None


class Arenas:
    """The functions of a module and the arenas they need. O(operations) to build."""

    def __init__(self, module: Operation, request: ArenaOptions) -> None:
        self.request = request
        self._table = SymbolTable(module)
        self._functions = [f for f in functions_in(module) if not f.is_declaration]
        self._calls = calls_by_callee(module, self._table)
        self._needs: dict[Operation, Need] = {}
        self.calls = CallsOfProgram()
        """The arguments that calls free or retain, which arenas do not change."""
        self.plans: dict[Operation, list[Plan]] = {}
        """The plans of each function's arenas, under the assumed sizes."""
        otherwise_used = _symbols_in_attributes(module)
        self._recursive: set[Operation] = set()
        self._order: list[Operation] = []
        callees: dict[Operation, list[Operation]] = {f: [] for f in self._functions}
        for callee, calls in self._calls.items():
            for call in calls:
                caller = call.parent_of_type(func.FuncOp)
                if caller in callees and callee in callees:
                    callees[caller].append(callee)
        for component in strongly_connected_components(callees, callees.__getitem__):
            self._order += component
            if len(component) > 1 or component[0] in callees[component[0]]:
                self._recursive.update(component)
        self._takes = {
            f
            for f in self._functions
            if f not in self._recursive
            and symbol_name(f) not in otherwise_used
            and (request.as_argument or (not is_public(f) and self._calls.get(f)))
        }

    def callees_first(self) -> list[Operation]:
        position = {f: i for i, f in enumerate(self._order)}
        return sorted(self._functions, key=position.__getitem__)

    def plan(self, function: func.FuncOp) -> int:
        """Plan the arenas of a function; returns the number of its buffers placed in them."""
        lives = Lives(function, self.calls)
        known: dict[Value, bool] = {}
        entry = function.body.entry
        by_space: dict[a.Attribute | None, list[Item]] = {}
        late = [
            life
            for life in lives.buffers
            if life.amount is not None
            and not life.obstacle
            and _is_used(life)
            and not all(is_known_at_entry(extent, entry, known) for extent in life.amount.extents)
        ]
        lives.exclude(late, "has a size that is only known after the function has begun")
        for life in lives.buffers:
            if life.obstacle or life.amount is None:
                refuse(life.alloc, life.obstacle)
            elif not _is_used(life):
                _erase(life)
            else:
                alignment = alignment_of(life.alloc, self.request.alignment)
                fixed = fixed_offset(life.alloc)
                item = Item(life, life.amount, alignment, life.begin, max(life.end, life.begin + 1), fixed)
                by_space.setdefault(life.alloc.memref_type.memory_space, []).append(item)
        self._add_calls(function, lives, by_space)
        if not by_space:
            return 0
        layouts = {space: self._lay_out(items) for space, items in by_space.items()}
        self.plans[function] = [layout.plan for layout in layouts.values()]
        takes = function in self._takes and (
            self.request.as_argument or all(layout.size is not None for layout in layouts.values())
        )
        if takes:
            self._needs[function] = self._add_arguments(function, layouts)
        last = [lives.order[max(item.end for item in items) - 1] for items in by_space.values()]
        self._carve(function, layouts, last, takes)
        return sum(isinstance(item.what, Life) for items in by_space.values() for item in items)

    def _lay_out(self, items: list[Item]) -> Layout:
        number = self.request.extent
        lives = [(item, item.what) for item in items if isinstance(item.what, Life)]
        check_fixed((life.alloc, item.as_buffer(lambda extent: number)) for item, life in lives)
        return lay_out(items, lambda extent: number)

    # -- calls

    def _add_calls(
        self, function: func.FuncOp, lives: Lives, by_space: dict[a.Attribute | None, list[Item]]
    ) -> None:
        """Items for the arenas of callees; a call that cannot take one from its caller's arena allocates its own."""
        for op in lives.order:
            if not isinstance(op, func.CallOp):
                continue
            callee = self._table.lookup(callee_name(op))
            need = self._needs.get(callee) if callee is not None else None
            if need is None:
                continue
            if need.query is not None or not _is_sequential(op, function):
                _allocate_around(op, need)
                continue
            arenas: list[Value | None] = [None] * len(need.types)
            call = _Call(op, arenas)
            for i, (type, alignment) in enumerate(zip(need.types, need.alignments, strict=True)):
                amount = Amount(type.shape[0] or 0)
                at = lives.number[op]
                item = Item((call, i), amount, alignment, at, at + 1)
                by_space.setdefault(type.memory_space, []).append(item)

    # -- signatures

    def _add_arguments(self, function: func.FuncOp, layouts: dict[a.Attribute | None, Layout]) -> Need:
        need = Need()
        if any(layout.size is None for layout in layouts.values()):
            need.query = self._query(function, layouts)
        kind: t.FunctionType = function.function_type
        attributes = attributes_of(function, "arg_attrs", len(kind.inputs))
        for space, layout in layouts.items():
            need.types.append(t.MemRefType((layout.size,), t.I8, None, space))
            need.alignments.append(layout.alignment)
            attributes.append(NO_ATTRIBUTES)
        set_type(function, [*kind.inputs, *need.types], list(kind.results))
        set_attributes(function, "arg_attrs", attributes)
        for type in need.types:
            function.body.entry.add_argument(type).name_hint = "arena"
        return need

    def _query(self, function: func.FuncOp, layouts: dict[a.Attribute | None, Layout]) -> func.FuncOp:
        """`@f_arena_size`: from the function's arguments to the bytes of its arenas."""
        kind: t.FunctionType = function.function_type
        name = f"{symbol_name(function)}_arena_size"
        type = a.TypeAttr(t.FunctionType(kind.inputs, (t.INDEX,) * len(layouts)))
        properties: dict[str, a.Attribute] = {"sym_name": a.StringAttr(name), "function_type": type}
        visibility = function.properties.get("sym_visibility")
        if visibility is not None:
            properties["sym_visibility"] = visibility
        query = func.FuncOp((), (), None, properties, 1)
        block = Block(kind.inputs)
        query.body.append(block)
        query.where = function.where
        entry = function.body.entry
        for old, new in zip(entry.args, block.args, strict=True):
            new.name_hint = old.name_hint
        at = Arithmetic(
            Builder.at_end(block, function.where),
            dict(zip(entry.args, block.args, strict=True)),
            _doubtful(layouts, entry),
        )
        sizes = [size(layout, offsets(layout, at), at) for layout in layouts.values()]
        at.builder.insert(func.ReturnOp(sizes))
        self._table.insert(query, function)
        return query

    # -- the body

    def _carve(
        self,
        function: func.FuncOp,
        layouts: dict[a.Attribute | None, Layout],
        last: Sequence[Operation],
        takes: bool,
    ) -> None:
        """Create the arenas at the start of a function, and the views where buffers are allocated.

        A function of one block frees each arena after the last operation that uses it, so that what is allocated after that,
        such as a returned copy, may get its memory.
        """
        entry = function.body.entry
        builder = Builder.at_start(entry, function.where)
        at = Arithmetic(builder, {arg: arg for arg in entry.args}, _doubtful(layouts, entry))
        arenas: list[Value] = list(entry.args[len(entry.args) - len(layouts) :])
        own: list[Value] = []
        places: list[list[Value]] = []
        for i, (space, layout) in enumerate(layouts.items()):
            places.append(offsets(layout, at))
            if takes:
                continue
            extents = () if layout.size is not None else (size(layout, places[i], at),)
            type = t.MemRefType((layout.size,), t.I8, None, space)
            made = builder.insert(
                makers.alloc(type, extents, layout.alignment, Cause(CauseKind.ARENA, function))
            )
            made.results[0].name_hint = "arena"
            own.append(made.results[0])
            user = last[i].ancestor_in_block(entry) if function.body.has_one_block else None
            ends = [block.last_op for block in function.body if isinstance(block.last_op, func.ReturnOp)]
            following = None if user is None else user.next_op
            for before in ends if following is None else [following]:
                Builder.before(before).insert(makers.free(made.results[0], Cause(CauseKind.FREED, before)))
        # after that: placing a buffer erases its allocation, which may be the insertion point of `builder`
        for arena, layout, where in zip(own or arenas, layouts.values(), places, strict=True):
            for item, place in zip(layout.items, where, strict=True):
                if isinstance(item.what, Life):
                    _place(item.what, arena, place, self.request.mark)
                else:
                    call, position = item.what
                    call.give(position, arena, place, self._needs, self._table, self.request.mark)


def _doubtful(layouts: dict[a.Attribute | None, Layout], entry: Block) -> set[Value]:
    """The extents of no allocation in the entry block: if no allocation with them is reached, they may have any
    value."""
    certain: set[Value] = set()
    others: set[Value] = set()
    for layout in layouts.values():
        for item in layout.items:
            if isinstance(item.what, Life):
                reached = item.what.alloc.block is entry
                (certain if reached else others).update(item.amount.extents)
    return {extent for extent in others - certain if not isinstance(extent.defining_op, memref.DimOp)}


class _Call:
    """A call that takes arenas, one after the other."""

    def __init__(self, op: func.CallOp, arenas: list[Value | None]) -> None:
        self.op = op
        self.arenas = arenas

    def give(
        self,
        position: int,
        arena: Value,
        place: Value,
        needs: dict[Operation, Need],
        table: SymbolTable,
        mark: bool,
    ) -> None:
        callee = present(table.lookup(callee_name(self.op)))
        view = memref.ViewOp((arena, place), (needs[callee].types[position],))
        if mark:
            view.set_attr(BEGINS_LIFE, a.UNIT)
        self.arenas[position] = Builder.before(self.op).insert(view).results[0]
        if None not in self.arenas:
            self.op.operands = [*self.op.operands, *(value for value in self.arenas if value is not None)]
            self.op.properties.pop("arg_attrs", None)


def _allocate_around(call: func.CallOp, need: Need) -> None:
    """Allocate the arenas of a callee around the call."""
    before = Builder.before(call)
    sizes: list[Value] = []
    if need.query is not None:
        name = expect(str, symbol_name(need.query))
        asked = func.CallOp(
            call.operands, (t.INDEX,) * len(need.types), None, {"callee": a.SymbolRefAttr(name)}
        )
        sizes = list(before.insert(asked).results)
    arenas: list[Value] = []
    for i, (type, alignment) in enumerate(zip(need.types, need.alignments, strict=True)):
        extents = () if type.has_static_shape else (sizes[i],)
        cause = Cause(CauseKind.ARENA, call)
        arenas.append(before.insert(makers.alloc(type, extents, alignment, cause)).results[0])
    call.operands = [*call.operands, *arenas]
    call.properties.pop("arg_attrs", None)
    after = Builder.after(call)
    for arena in arenas:
        after.insert(makers.free(arena, Cause(CauseKind.FREED, call)))


def _is_sequential(op: Operation, function: Operation) -> bool:
    """Whether executions of `op` never overlap."""
    around = op.parent_op
    while around is not None and around is not function:
        if around.has_trait(tr.PARALLEL_LOOP) or not isinstance(around, (RegionBranchOp, LoopLikeOp)):
            return False
        around = around.parent_op
    return True


def _is_used(life: Life) -> bool:
    """Whether anything but its frees uses a buffer."""
    return life.first is not None and any(user not in life.deallocs for user in life.value.users)


def _erase(life: Life) -> None:
    """Erase an unused buffer and what frees it."""
    for op in life.deallocs:
        op.erase()
    life.alloc.erase()


def _place(life: Life, arena: Value, place: Value, mark: bool) -> None:
    """Turn an allocation into a view of the arena, and drop its deallocations."""
    alloc = life.alloc
    type = alloc.memref_type
    assert life.first is not None and life.amount is not None
    builder = Builder.before(life.first)
    builder.where = alloc.where
    if type.is_identity_layout:
        view = builder.insert(memref.ViewOp((arena, place, *alloc.dynamic_sizes), (type,)))
        made = view.results[0]
    else:
        view, made = _strided_view(builder, arena, place, life, type)
    if mark:
        view.set_attr(BEGINS_LIFE, a.UNIT)
    made.name_hint = life.value.name_hint
    for op in life.deallocs:
        if op.block is not None:  # it may free another planned buffer as well
            op.erase()
    alloc.replace_with((made,))


def _strided_view(
    builder: Builder, arena: Value, place: Value, life: Life, type: t.MemRefType
) -> tuple[Operation, Value]:
    """A flat view as long as the span of a strided layout, and the strided view of it."""
    from ...ir.types.elements import stored_bytes

    assert life.amount is not None
    layout = present(type.strides_and_offset())
    count = life.amount.factor // (stored_bytes(type.element) or 1)
    flat = t.MemRefType((count,), type.element, None, type.memory_space)
    view = builder.insert(memref.ViewOp((arena, place), (flat,)))
    cast = memref.ReinterpretCastOp.build(
        source=view.results[0],
        static_offsets=a.DenseArrayAttr(t.I64, (layout[1] or 0,)),
        static_sizes=a.DenseArrayAttr(t.I64, tuple(n or 0 for n in type.shape)),
        static_strides=a.DenseArrayAttr(t.I64, tuple(n or 0 for n in layout[0])),
        result=type,
    )
    return view, builder.insert(cast).results[0]


def _symbols_in_attributes(module: Operation) -> set[str]:
    """The symbols with references other than the callee of a `func.call`."""
    found: set[str] = set()
    for op in module.walk():
        waiting: list[a.Attribute] = [*op.attributes.values()]
        waiting += [
            v for k, v in op.properties.items() if not (k == "callee" and isinstance(op, func.CallOp))
        ]
        while waiting:
            attribute = waiting.pop()
            if isinstance(attribute, a.SymbolRefAttr):
                found.add(attribute.root)
            elif isinstance(attribute, a.ArrayAttr):
                waiting += attribute.elements
            elif isinstance(attribute, a.DictionaryAttr):
                waiting += [value for _, value in attribute.entries]
    return found
