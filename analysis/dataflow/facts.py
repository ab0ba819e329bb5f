"""The fact base of a program for user-defined Datalog rules; `facts.dl` declares and documents the relations.

    facts = ProgramFacts(program, "mine.dl", text)
    facts.database.query("wanted")

Only relations that the rules mention are computed.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from math import prod
from typing import TYPE_CHECKING

from ...ir.program.core import Operation, Value
from ...ir.program.interfaces import ALLOCATE, FREE, READ, WRITE, FunctionOp, MemoryEffectOp
from ...ir.source.diagnostics import ParseError, error
from ...ir.source.locations import Source, Span
from ...ir.source.records import record
from ..datalog.database import Database
from ..datalog.parser import parse
from ..datalog.program import Program
from ..datalog.syntax import DatalogError, Declaration, RelationKind, Rule
from ..graphs import comes_before
from ..naming import source_spelling, value_name
from .clients import LiveValues, MayView
from .framework import AnyAnalysis

if TYPE_CHECKING:
    from ..models import ModelRegistry
from .graph import FlowGraph, Segment, flow_graph, is_control_flow_root
from .integer_ranges import IntegerRanges, Reachability
from .solver import solve

BASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "facts.dl")
MOST_ROWS = 2_000_000
"""Rows that a relation may have before evaluation fails. Rules with arithmetic can derive rows without end."""
Row = tuple[object, ...]
_RELATION_COMMENT = re.compile(r"//\s*((?:[a-z_]+\([^)]*\)(?:,\s*)?)+):\s*(.*)")


@record(frozen=True)
class KnownRelation:
    """A relation that rules may read, and what it means."""

    declaration: Declaration
    meaning: str

    def __str__(self) -> str:
        parameters = ", ".join(f"{p.name}: {p.sort}" for p in self.declaration.parameters)
        return f"{self.declaration.name}({parameters})"


@cache
def _base() -> tuple[tuple[Declaration, ...], tuple[Rule, ...], str]:
    with open(BASE, encoding="utf-8") as file:
        text = file.read()
    return (*parse(text, BASE), text)


def known_relations() -> list[KnownRelation]:
    """All relations of `facts.dl`, in its order."""
    declarations, _, text = _base()
    lines = text.split("\n")
    meanings: dict[str, str] = {}
    for number, line in enumerate(lines):
        comment = _RELATION_COMMENT.match(line)
        if comment is not None:
            words = [comment[2]]
            for more in lines[number + 1 :]:
                if not more.startswith("//"):
                    break
                words.append(more.removeprefix("//").strip())
            meanings |= dict.fromkeys(re.findall(r"([a-z_]+)\(", comment[1]), " ".join(words))
    return [KnownRelation(declaration, meanings[declaration.name]) for declaration in declarations]


class UserRules:
    """User-defined rules over the fact base.

    Attributes:
        program: the rules together with the declarations of the fact base, checked.
        own: the relations that the rules declare, in textual order.
        shown: the derived relations that no other rule reads; the default queries.
    """

    def __init__(self, file: str, text: str) -> None:
        """
        Raises:
            ParseError: the text is not Datalog, or a rule is unsafe, unstratified or ill-typed.
        """
        self.source = Source(file, text)
        base, base_rules, _ = _base()
        try:
            declared, rules = parse(text, file)
            kinds = sorted({"any", *(parameter.sort for known in base for parameter in known.parameters)})
            for declaration in declared:
                unknown = next((p.sort for p in declaration.parameters if p.sort not in kinds), None)
                if unknown is not None:
                    message = f"'{unknown}' is not a kind of argument; the kinds are {', '.join(kinds)}"
                    raise DatalogError(message, declaration.position)
                if declaration.kind is RelationKind.EXTERN:
                    message = "user-defined rules cannot declare an .extern: no function would answer it"
                    raise DatalogError(message, declaration.position)
            self.program = Program((*base, *declared), (*base_rules, *rules))
        except DatalogError as failure:
            raise self.refusal(failure) from None
        self.own = [d.name for d in declared if "." not in d.name]
        derived = {rule.head.name for rule in rules}
        read = {atom.name for rule in rules for atom, _ in rule.reads() if rule.head.name != atom.name}
        shown = [name for name in self.own if name in derived and name not in read]
        self.shown = shown or [name for name in self.own if name in derived]
        self.mentioned = {atom.name for rule in rules for atom, _ in rule.reads()}

    def refusal(self, failure: DatalogError) -> ParseError:
        """The failure as a diagnostic with its source location."""
        where = failure.position
        span: Span | None = None
        if where is not None and where.file == self.source.name:
            at = min(self.source.offset(where.line, where.column), len(self.source.text))
            span = Span(self.source, at, min(at + 1, len(self.source.text)))
        return ParseError(error(failure.message, span))

    def over(
        self,
        root: Operation,
        relations: Iterable[str] = (),
        most_rows: int | None = None,
        models: ModelRegistry | None = None,
    ) -> Database:
        """A database with the facts that the rules mention, and `relations`. O(program * relations), without analyses.

        Args:
            models: those that decide what is in place; None for the built-in ones.
        """
        facts = _Facts(root, models)
        database = Database(self.program, {"dominates": facts.dominates})
        database.most_rows = MOST_ROWS if most_rows is None else most_rows
        for name in self.program.declarations:
            if name in _FACTS and (name in self.mentioned or name in relations):
                database.assert_facts(name, dict.fromkeys(_FACTS[name](facts)))
        return database


class _Facts:
    """Enumerates the facts of one program."""

    def __init__(self, root: Operation, models: ModelRegistry | None) -> None:
        self.root = root
        self.models = models

    @cached_property
    def ops(self) -> list[Operation]:
        return list(self.root.walk())

    @cached_property
    def values(self) -> list[Value]:
        found: list[Value] = []
        for op in self.ops:
            found += op.results
            found += [arg for region in op.regions for block in region for arg in block.args]
        return found

    @cached_property
    def graph(self) -> FlowGraph:
        return flow_graph(self.root)

    def dominates(self, first: Operation, later: Operation) -> bool:
        outer = first.parent_op
        if outer is None or (is_control_flow_root(outer) and not isinstance(outer, FunctionOp)):
            return False  # functions of a module have no execution order
        return comes_before(first, later)

    def around(self, op: Operation) -> Iterator[Operation]:
        outer = op.parent_op
        while outer is not None and outer is not self.root:
            yield outer
            outer = outer.parent_op

    def effects(self, kind: str) -> Iterator[Row]:
        for op in self.ops:
            for effect in op.memory_effects() if isinstance(op, MemoryEffectOp) else ():
                if effect.kind == kind and effect.value is not None:
                    yield op, effect.value

    def next(self) -> Iterator[Row]:
        first: dict[Segment, list[Operation]] = {}

        def first_ops(segment: Segment) -> list[Operation]:
            """The first operation of a segment; for an empty segment, those of the segments that control reaches next."""
            seen, waiting, found = {segment}, [segment], list[Operation]()
            while waiting:
                one = waiting.pop()
                ops = one.ops
                if ops:
                    found.append(ops[0])
                    continue
                for edge in one.leaving:
                    if edge.target not in seen:
                        seen.add(edge.target)
                        waiting.append(edge.target)
            return found

        for segment in self.graph:
            ops = segment.ops
            yield from itertools.pairwise(ops)
            for edge in segment.leaving if ops else ():
                if edge.target not in first:
                    first[edge.target] = first_ops(edge.target)
                for following in first[edge.target]:
                    yield ops[-1], following

    def views(self) -> Iterator[Row]:
        from ..origins import ViewFlow

        for source, views in ViewFlow(self.root).targets.items():
            for view in views:
                yield view, source

    def decided(self, in_place: bool) -> Iterator[Row]:
        from ..one_shot import AnalysisOptions
        from ..one_shot.analyze import analyze

        result = analyze(
            self.root,
            AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True),
            self.models,
        )
        for use in result.operands():
            if result.is_in_place(use) == in_place:
                yield use.owner, use.index

    def live(self) -> Iterator[Row]:
        analysis = LiveValues()
        solution = solve(self.root, analysis)
        for segment in self.graph:
            for op, _, after in solution.points(segment):
                for value in analysis.values(after):
                    yield op, value

    def states(self, analysis: AnyAnalysis) -> Iterator[tuple[Value, object]]:
        solution = solve(self.root, analysis)
        for value in self.values:
            state = solution.of(value)
            if state is not None and solution.analysis.concerns(value):
                yield value, state


def _functions(facts: _Facts) -> Iterator[Row]:
    for op in facts.ops:
        for outer in facts.around(op):
            if isinstance(outer, FunctionOp):
                yield op, outer.symbol_name
                break


def _size(value: Value) -> int | None:
    from ..sizes import element_bytes

    shape, element = getattr(value.type, "shape", None), getattr(value.type, "element", None)
    if shape is None or element is None or not all(isinstance(n, int) and n >= 0 for n in shape):
        return None
    try:
        return prod(shape) * element_bytes(element)
    except (TypeError, ValueError):
        return None


def _origins(facts: _Facts) -> Iterator[Row]:
    for value, sources in facts.states(MayView()):
        for source in sources if isinstance(sources, frozenset) else ():
            yield value, source


def _ranges(facts: _Facts) -> Iterator[Row]:
    for value, found in facts.states(IntegerRanges()):
        assert isinstance(found, tuple)
        yield value, *found


def _reached(facts: _Facts) -> Iterator[Row]:
    solution = solve(facts.root, Reachability())
    for segment in solution.segments:
        yield from ((op,) for op in segment.ops)


_FACTS: dict[str, Callable[[_Facts], Iterable[Row]]] = {
    "operation": lambda f: ((op, op.name) for op in f.ops),
    "operand": lambda f: ((op, use.index, use.value) for op in f.ops for use in op.op_operands),
    "result": lambda f: ((op, result.index, result) for op in f.ops for result in op.results),
    "argument": lambda f: (
        (arg.owner, arg.index, arg)
        for op in f.ops
        for region in op.regions
        for block in region
        for arg in block.args
    ),
    "type": lambda f: ((value, str(value.type)) for value in f.values),
    "attribute": lambda f: (
        (op, name, str(value))
        for op in f.ops
        for held in (op.properties, op.attributes)
        for name, value in held.items()
    ),
    "name": lambda f: (
        (value, value_name(value)) for value in f.values if source_spelling(value) is not None
    ),
    "line": lambda f: ((op, op.name_span.line) for op in f.ops if op.name_span is not None),
    "in_block": lambda f: ((op, op.block) for op in f.ops if op.block is not None),
    "parent": lambda f: ((op, op.parent_op) for op in f.ops if op.parent_op is not None),
    "inside": lambda f: ((op, outer) for op in f.ops for outer in f.around(op)),
    "in_function": _functions,
    "size": lambda f: ((value, size) for value in f.values if (size := _size(value)) is not None),
    "next": lambda f: f.next(),
    "calls": lambda f: ((op, callee) for op in f.ops if (callee := f.graph.callee(op)) is not None),
    "passes": lambda f: ((use.value, to) for edge in f.graph.edges() for use, to in edge.pairs()),
    "reached": _reached,
    "reads": lambda f: f.effects(READ),
    "writes": lambda f: f.effects(WRITE),
    "allocates": lambda f: f.effects(ALLOCATE),
    "frees": lambda f: f.effects(FREE),
    "views": lambda f: f.views(),
    "origin": _origins,
    "live": lambda f: f.live(),
    "range": _ranges,
    "in_place": lambda f: f.decided(True),
    "copied": lambda f: f.decided(False),
}
