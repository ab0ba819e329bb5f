"""Models of custom operations, read from a text file of facts instead of Python code.

    // mydialect.scatter(source, dest) writes into dest and returns it.
    reads("mydialect.scatter", 0).
    writes("mydialect.scatter", 1).
    aliases("mydialect.scatter", 1, 0, "equivalent").

The text is Datalog in the dialect of this project's rules, restricted to facts. Operands, results and regions are
numbered from 0. The facts about an operation are taken to be complete: an operand without `reads` is not read.
`operation("mydialect.log").` declares an operation that neither reads, writes nor aliases its tensors.

Allocations and deallocations by operations on buffers are declared in the same way. `declare_described` puts these
facts into effect for programs that are parsed afterwards:

    allocates("custom.alloc", 0).
    freed_by("custom.alloc", "custom.free").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ...ir.program.core import Operation, OpOperand, OpResult, Region, Value
from ...ir.source.diagnostics import Diagnostic, ParseError, error, warning
from ...ir.source.locations import Source, Span
from ...ir.source.reading import collection_paused
from ...ir.source.records import field, record
from ...ir.types.types import declare_tensor_like
from ..causes import stated
from ..datalog.parser import parse
from ..datalog.syntax import Constant, DatalogError, Position, Rule
from ..one_shot.facts import program_with
from . import ModelRegistry
from .base import AliasingValue, Model, ModelContext, is_tensor

EQUIVALENT, OVERLAPPING = "equivalent", "unknown"
DEFINITE, MAYBE = "definite", "maybe"


@record()
class Described:
    """The facts about one operation, as sets of positions. `place` is the source range of the first fact."""

    reads: set[int] = field(default_factory=set)
    writes: set[int] = field(default_factory=set)
    aliases: dict[int, list[tuple[int, bool, bool]]] = field(default_factory=dict)
    allocates: set[int] = field(default_factory=set)
    undefined: set[int] = field(default_factory=set)
    read_only: set[int] = field(default_factory=set)
    must_be_in_place: set[int] = field(default_factory=set)
    repetitive: set[int] = field(default_factory=set)
    parallel: set[int] = field(default_factory=set)
    place: Span | None = None
    frees: set[int] = field(default_factory=set)
    forwards: set[tuple[int, int]] = field(default_factory=set)
    becomes: str = ""
    buffer_type: str = ""
    freed_by: str = ""
    cloned_by: str = ""


class FactsModel(Model):
    """Answers from facts. Operands that are not tensors in the program at hand are ignored."""

    def __init__(self, described: Described) -> None:
        self._described = described

    @property
    def place(self) -> Span | None:
        """The source range of the facts."""
        return self._described.place

    @property
    def becomes(self) -> str:
        """The name of the buffer operation that replaces it; empty if no fact names one."""
        return self._described.becomes

    def equivalent_operand(self, result: OpResult) -> int | None:
        """The operand that the result is definitely equivalent to."""
        for operand, aliases in self._described.aliases.items():
            if (result.index, True, True) in aliases:
                return operand
        return None

    def reads(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index in self._described.reads

    def writes(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index in self._described.writes

    def aliasing_values(self, operand: OpOperand, context: ModelContext) -> Sequence[AliasingValue]:
        results = operand.owner.results
        return [
            AliasingValue(results[position], same, definite)
            for position, same, definite in self._described.aliases.get(operand.index, ())
            if position < len(results) and is_tensor(results[position])
        ]

    def must_be_in_place(self, operand: OpOperand, context: ModelContext) -> bool:
        return operand.index in self._described.must_be_in_place or super().must_be_in_place(operand, context)

    def is_writable(self, value: Value, context: ModelContext) -> bool:
        return not isinstance(value, OpResult) or value.index not in self._described.read_only

    def defines(self, result: OpResult, context: ModelContext) -> bool | None:
        return False if result.index in self._described.undefined else None

    def allocates(self, result: OpResult) -> bool:
        return result.index in self._described.allocates

    def is_repetitive(self, region: Region, context: ModelContext) -> bool:
        return region.index in self._described.repetitive or super().is_repetitive(region, context)

    def is_parallel(self, region: Region, context: ModelContext) -> bool:
        return region.index in self._described.parallel


UNUSED_FACTS: Final = "unused-facts"
NUMBER: Final = "number"
OPERATION: Final = "operation"
Shape = tuple[object, ...]
"""The arguments after the operation's name: NUMBER, OPERATION (another name), or a tuple of the allowed words."""

RELATIONS: Final[dict[str, Shape]] = {
    "operation": (),
    "reads": (NUMBER,),
    "writes": (NUMBER,),
    "aliases": (NUMBER, NUMBER, (EQUIVALENT, OVERLAPPING)),
    "allocates": (NUMBER,),
    "undefined": (NUMBER,),
    "read_only": (NUMBER,),
    "must_be_in_place": (NUMBER,),
    "repetitive": (NUMBER,),
    "parallel": (NUMBER,),
    "frees": (NUMBER,),
    "forwards": (NUMBER, NUMBER),
    "becomes": (OPERATION,),
    "buffer_type": (OPERATION,),
    "freed_by": (OPERATION,),
    "cloned_by": (OPERATION,),
}
"""The relations that facts may use. `aliases` may end with "definite" (the default) or "maybe"."""

_LONG_ALIASES: Shape = (*RELATIONS["aliases"], (DEFINITE, MAYBE))


def registry_with(sources: Iterable[Source], rules: Iterable[Source] = ()) -> ModelRegistry:
    """The built-in models, those described by the facts in `sources`, and users' own rules
    (`one_shot/facts.py`).

    Raises:
        ParseError: a text has something other than facts of the relations above, or such rules; carries every
            mistake of the first such text.
    """
    registry = ModelRegistry()
    registry.rules += rules
    if registry.rules:
        program_with(registry.rules)
    for source in sources:
        for name, described in read_facts(source).items():
            registry.add(name, FactsModel(described))
    return registry


def declare_described(sources: Iterable[Source]) -> None:
    """Register the operations that the facts declare to allocate or free buffers, for programs parsed from now on.

    Raises:
        ParseError: see `registry_with`.
    """
    from ...dialects._described import describe_allocation, describe_branch, describe_free

    for source in sources:
        for name, described in read_facts(source).items():
            if described.frees:
                describe_free(name, *sorted(described.frees))
            if described.freed_by or described.cloned_by:
                results = sorted(described.allocates)
                describe_allocation(name, *results, free=described.freed_by, clone=described.cloned_by)
            if described.buffer_type:
                declare_tensor_like(name, described.buffer_type)
            if described.forwards:
                describe_branch(name, described.forwards)


@collection_paused()
def read_facts(source: Source) -> dict[str, Described]:
    """The facts of a text, grouped by operation. O(text).

    Raises:
        ParseError: see `registry_with`.
    """
    try:
        declarations, rules = parse(source.text, source.name)
    except DatalogError as failure:
        raise ParseError(error(failure.message, _span(source, failure.position))) from None
    mistakes = [
        error("a facts file declares no relations", _span(source, declaration.position))
        for declaration in declarations
    ]
    described: dict[str, Described] = {}
    for rule in rules:
        mistake = _mistake_in(rule, source)
        if mistake is None:
            _take(rule, described, _span(source, rule.position))
        else:
            mistakes.append(mistake)
    if mistakes:
        raise ParseError(mistakes)
    return described


def doubts(registry: ModelRegistry, module: Operation) -> list[Diagnostic]:
    """Warnings about facts whose operation does not exist.

    Either the dialect has no operation of that name, or `module` lacks it but has an unmodelled operation with a
    similar name. O(operations) if there are facts.
    """
    from ...ir.text.registry import default_registry

    described = {
        name: model for name in registry.names() if isinstance(model := registry.added(name), FactsModel)
    }
    if not described:
        return []
    from difflib import get_close_matches

    met = {op.name: op for op in module.walk()}
    unknown = [name for name, op in met.items() if not op.is_registered and name not in described]
    known = default_registry()
    found: list[Diagnostic] = []
    for name, model in described.items():
        dialect = name.partition(".")[0]
        if name in met or known.find(name) is not None:
            continue
        close = get_close_matches(name, unknown, 1, 0.8)
        declared = dialect in known.public_dialects
        if close or declared:
            what = f"dialect '{dialect}' has no operation" if declared else "there is no operation"
            hint = f" (did you mean '{close[0]}'?)" if close else ""
            said = warning(f"{what} '{name}'{hint}: its facts are not used", model.place, UNUSED_FACTS)
            said.derivation = stated(("described", name), ("not met", name))
            found.append(said)
    return found


def _mistake_in(rule: Rule, source: Source) -> Diagnostic | None:
    def complain(message: str) -> Diagnostic:
        return error(message, _span(source, rule.position))

    name = rule.head.name
    if rule.body:
        return complain("only facts are allowed here, not rules")
    shape = RELATIONS.get(name)
    if shape is None:
        known = ", ".join(RELATIONS)
        return complain(f"there is no fact '{name}'; there are {known}")
    values: list[object] = []
    for term in rule.head.terms:
        if not isinstance(term, Constant):
            return complain(f"'{term}' is not a constant; write names of operations in quotes")
        values.append(term.value)
    if name == "aliases" and len(values) == 1 + len(_LONG_ALIASES):
        shape = _LONG_ALIASES
    if len(values) != 1 + len(shape):
        return complain(f"'{name}' takes {1 + len(shape)} arguments, {len(values)} given")
    if not isinstance(values[0], str) or "." not in values[0]:
        return complain(
            f"the first argument of '{name}' is the name of an operation, such as \"mydialect.op\""
        )
    for value, expected in zip(values[1:], shape, strict=True):
        if expected == NUMBER and not (isinstance(value, int) and value >= 0):
            return complain(f"'{value}' is not a position: operands, results and regions are numbered from 0")
        if expected == OPERATION and not (isinstance(value, str) and "." in value):
            return complain(f'{value!r} should be the name of an operation, such as "mydialect.op"')
        if isinstance(expected, tuple) and value not in expected:
            words = " or ".join(f'"{word}"' for word in expected)
            return complain(f"{value!r} should be {words}")
    return None


def _take(rule: Rule, described: dict[str, Described], place: Span | None) -> None:
    name, *values = [term.value for term in rule.head.terms if isinstance(term, Constant)]
    entry = described.setdefault(str(name), Described(place=place))
    if rule.head.name == "aliases":
        operand, result, relation, *rest = values
        definite = not rest or rest[0] == DEFINITE
        alias = (int(str(result)), relation == EQUIVALENT, definite)
        entry.aliases.setdefault(int(str(operand)), []).append(alias)
    elif RELATIONS[rule.head.name] == (OPERATION,):
        setattr(entry, rule.head.name, str(values[0]))
    elif rule.head.name == "forwards":
        operand, successor = (int(str(value)) for value in values)
        entry.forwards.add((successor, operand))
    elif rule.head.name != "operation":
        getattr(entry, rule.head.name).add(int(str(values[0])))


def _span(source: Source, position: Position | None) -> Span | None:
    if position is None:
        return None
    start = min(source.offset(position.line, position.column), len(source.text))
    return Span(source, start, min(start + 1, len(source.text)))
