"""The preparation of a whole module: the functions that no tensor connects are prepared apart.

Each step of a preparation analyses and bufferizes the program that it changed. In one module of n independent functions, n
times as many steps would each cost n times as much. So the call graph is split where no tensor and no symbol in memory
crosses, and every component is prepared in a module of its own; what they copy, move and allocate adds up, and the peak of
the whole is the greatest of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...analysis.naming import symbol
from ...analysis.one_shot.functions import has_tensor_signature
from ...analysis.one_shot.result import AnalysisResult
from ...ir.program.core import Block, Operation
from ...ir.program.interfaces import FunctionOp
from ...ir.program.symbols import SymbolTable, modules_in
from ...ir.source import UnionFind, find
from ...ir.source.diagnostics import present
from ...ir.source.records import field, record
from ..inline import referenced_symbols
from ..memory_report import IRMapping
from .prepare import Preparation

MAX_TOGETHER = 500
"""Operations that are prepared together. With fewer, the steps take longer than what each analyses."""

Prepare = Callable[[Operation, Sequence[FunctionOp]], Preparation]
"""Makes the preparation of a module, with nothing tried yet; of some functions of the program, or of all if none is given."""


@record()
class PreparedModule:
    """The outcome of a preparation.

    Attributes:
        result: the decisions for the prepared program, if known.
        buffers: its bufferized copy, if known; that of the unprepared program, if nothing was changed.
        is_peak_binding: whether the limit on the peak ruled out a form.
        given_up: what a higher peak would save, for each operation (a function or the module) where it would.
    """

    result: AnalysisResult | None = None
    buffers: IRMapping | None = None
    is_peak_binding: bool = False
    given_up: list[tuple[Operation, str]] = field(default_factory=list)

    def add(self, part: Preparation, at: Operation) -> None:
        self.is_peak_binding |= part.is_peak_binding
        if part.given_up is not None:
            self.given_up.append((at, part.given_up))


def prepare_module(root: Operation, prepare: Prepare, is_decided: bool = True) -> PreparedModule:
    """Rewrite `root` so that its bufferization copies less, each component of its functions apart.

    The work of `Preparation.improve` for each component, and two analyses and bufferizations of the whole.

    Args:
        is_decided: whether the decisions for the prepared program are asked for.
    """
    components = together(components_of(root))
    whole = prepare(root, ())
    found = PreparedModule()
    if len(components) < 2:
        is_known, is_unchanged = whole.improve(), whole.is_unchanged
    elif is_known := whole.begin():
        is_unchanged = True
        for component in components:
            with _Apart(component) as apart:
                part = prepare(apart.module, component.functions)
                part.improve()
            found.add(part, apart.functions[0])
            is_unchanged &= part.is_unchanged
    else:
        is_unchanged = whole.is_unchanged
    found.add(whole, root)
    if is_unchanged and whole.as_it_is is not None and whole.as_it_is.buffers is not None:
        found.buffers = whole.as_it_is.buffers
    elif is_known and is_decided:
        found.result = whole.finish()
        found.buffers = whole.buffers_of(found.result)
    return found


@record()
class Component:
    """Functions that tensors or symbols connect, in program order, and the symbols outside of it that they refer to."""

    functions: list[FunctionOp]
    needs: dict[Operation, None]


def components_of(root: Operation) -> list[Component]:
    """The components of the functions directly in `root`; none if they cannot be told apart. O(operations).

    A call connects two functions if a tensor is passed or returned, any other symbol all functions that refer to it.
    """
    block = root.regions[0].entry if len(root.regions) == 1 and root.regions[0].has_one_block else None
    functions = [op for op in block or () if isinstance(op, FunctionOp) and not op.is_declaration]
    if len(functions) < 2 or modules_in(root) or len({symbol(op) for op in functions}) < len(functions):
        return []
    table = SymbolTable(root)
    joined: UnionFind[Operation] = UnionFind()
    needs: dict[Operation, dict[Operation, None]] = {}
    for function in functions:
        named = {reference.root for op in function.walk() for reference in referenced_symbols(op)}
        needs[function] = dict.fromkeys(op for op in map(table.lookup, sorted(named)) if op is not None)
        for other in needs[function]:
            if not isinstance(other, FunctionOp) or (
                not other.is_declaration and has_tensor_signature(other)
            ):
                joined[find(joined, other)] = find(joined, function)
    found: dict[Operation, Component] = {}
    for function in functions:
        component = found.setdefault(find(joined, function), Component([], {}))
        component.functions.append(function)
        component.needs |= needs[function]
    return list(found.values())


def together(components: list[Component]) -> list[Component]:
    """Groups of components, each of MAX_TOGETHER operations at most or of one component. O(operations)."""
    packed: list[Component] = []
    left = 0
    for component in components:
        size = sum(1 for function in component.functions for _ in function.walk())
        if packed and size <= left:
            packed[-1].functions += component.functions
            packed[-1].needs |= component.needs
            left -= size
        else:
            packed.append(component)
            left = MAX_TOGETHER - size
    return packed


class _Apart:
    """While it is entered, the functions of a component are in a module of their own.

    Attributes:
        module: that module, with declarations of the other functions that they call.
        functions: afterwards, the functions that replaced them in the program.
    """

    def __init__(self, component: Component) -> None:
        self.functions = component.functions
        root = present(self.functions[0].parent_op)
        self.module = root._clone_shallow({}, [], [])
        body = self.module.regions[0].append(Block())
        own = set(self.functions)
        for op in component.needs:
            if op not in own:
                body.append(_declaration(op) if isinstance(op, FunctionOp) else op.clone())

    def __enter__(self) -> _Apart:
        self._places = {function.symbol_name: _declaration(function) for function in self.functions}
        for function in self.functions:
            present(function.block).insert_before(self._places[function.symbol_name], function)
            self.module.regions[0].entry.append(function.detach())
        return self

    def __exit__(self, *_: object) -> None:
        prepared = self.module.regions[0].entry.ops
        self.functions = [op for op in prepared if isinstance(op, FunctionOp) and not op.is_declaration]
        for function in self.functions:
            place = self._places[function.symbol_name]
            present(place.block).insert_before(function.detach(), place)
            place.erase()


def _declaration(function: FunctionOp) -> Operation:
    """A function of the same name and type without a body."""
    return function._clone_shallow({}, [], [])
