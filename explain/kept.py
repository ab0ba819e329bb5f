"""Explanations as plain data, which can be cached, sent between processes and displayed later.

`to_data` serializes an explanation; `KeptExplanation` assembles the explanations of the parts of one text
(`ir.source.parts`) at their current positions. Both render identically. Positions are offsets in the text of a part.
Sentences are templates with typed arguments (`ir.source.text`), so line numbers in them are mapped to lines of the
whole text.

Data that requires the program is not serialized: derivations from the rules, measurements, questions about one value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from ..analysis.cost_model import EstimatedCost, Times
from ..analysis.one_shot import AnalysisOptions
from ..analysis.sizes import Formula, Symbol
from ..ir.program.interfaces import FunctionOp
from ..ir.source.diagnostics import Applicability, Diagnostic, Edit, Label, Note, Severity, Suggestion
from ..ir.source.locations import Source, Span
from ..ir.source.records import Plain, as_plain, record, replace
from ..ir.source.text import from_plain, to_plain
from ..transforms.bufferize import INFER_LAYOUT
from ..transforms.memory_report import Kind, MemoryRecord, MemoryReport, Verdict
from .explanation import Explanation
from .finding import Finding
from .plan import CopyPlan
from .routes import Cost, Route, RouteOutcome

if TYPE_CHECKING:
    from ..ir.program.core import Operation
    from ..ir.source.parts import TextPart

NOTHING = cast(Any, None)
"""Placeholder where there is no program."""


COSTS = EstimatedCost.__match_args__
"""The serialized fields of a function's cost, in the order of `EstimatedCost`."""


class NotKept(Exception):
    """A diagnostic refers to a text other than the parsed one."""


# -- serialization


def to_data(explanation: Explanation, source: Source, for_machines: bool) -> Plain:
    """Serialize an explanation of the program in `source`. O(size of the explanation).

    Args:
        for_machines: include everything that `--format json` prints about findings and records.

    Raises:
        NotKept: a position is in another text.
    """
    serializer = _Serializer(source, for_machines, explanation.plan)
    numbers = {id(memory_record): i for i, memory_record in enumerate(explanation.memory_report.records)}
    memory_report = explanation.memory_report.data()["records"] if for_machines else ()
    found: Plain = {
        "errors": [serializer.diagnostic(d) for d in explanation.errors],
        "bufferized": explanation.is_bufferized,
        "complete": explanation.is_complete,
        "records": [serializer.memory_record(m) for m in explanation.memory_report.records],
        "memoryReport": list(memory_report),
        "costs": {
            name: [getattr(cost, field) for field in COSTS]
            for name, cost in explanation.memory_report.costs.items()
        },
        "findings": [serializer.finding(f, numbers) for f in explanation.findings],
        "remarks": [serializer.diagnostic(d) for d in explanation.remarks],
        "operands": explanation.operands,
        "inPlace": explanation.in_place,
        "outOfPlace": _out_of_place(explanation) if for_machines else [],
        "advice": explanation.advice,
        "contracts": explanation.contracts,
        "functions": _functions(explanation.result.state.root),
        "plan": explanation.plan.kept(serializer.formula) if explanation.plan is not None else None,
        "planLines": explanation.plan_lines(),
        "refused": [serializer.diagnostic(d) for d in explanation.refused],
        "wayOut": explanation.way_out,
    }
    return to_plain(found)


def _out_of_place(explanation: Explanation) -> list[list[object]]:
    found = zip(explanation.result.out_of_place(), explanation.out_of_place(), strict=True)
    return [[_start(operand.owner), data] for operand, data in found]


def _functions(root: Operation) -> list[list[object]]:
    """Names and start offsets of functions."""
    return [
        [str(op.properties["sym_name"].value), _start(op)]  # pyright: ignore[reportAttributeAccessIssue]
        for op in root.walk()
        if isinstance(op, FunctionOp) and "sym_name" in op.properties
    ]


def _start(op: Operation) -> int:
    return op.where[1] if op.where is not None else -1


class _Serializer:
    def __init__(self, source: Source, for_machines: bool, plan: CopyPlan | None = None) -> None:
        self.source = source
        self.for_machines = for_machines
        self.plan = plan
        self.numbers: dict[Hashable, int] = {}

    def number(self, thing: Hashable) -> int:
        """An index that is equal for equal things."""
        return self.numbers.setdefault(thing, len(self.numbers))

    def span(self, span: Span | None) -> list[int] | None:
        if span is None:
            return None
        if span.source is not self.source:
            raise NotKept
        return [span.start, span.end]

    def formula(self, formula: Formula | None) -> Any:
        """A number, or a list of factors with symbols."""
        if formula is None:
            return None
        if (known := formula.constant) is not None:
            return known
        return [
            [factor, [[s.name, self.number(("symbol", s.key)), s.scope] for s in monomial]]
            for monomial, factor in formula.terms.items()
        ]

    def label(self, label: Label) -> list[object]:
        return [self.span(label.span), label.text, label.primary]

    def diagnostic(self, said: Diagnostic) -> Plain:
        found: Plain = {
            "severity": str(said.severity),
            "message": said.message,
            "span": self.span(said.span),
            "code": said.code,
            "place": said.origin,
            "labels": [self.label(label) for label in said.labels],
            "notes": [[note.text, note.kind] for note in said.notes],
            "children": [self.diagnostic(child) for child in said.children],
            "suggestions": [self.suggestion(s) for s in said.suggestions],
            "steps": [self.label(step) for step in said.steps],
            "data": said.data,
        }
        return {key: value for key, value in found.items() if value not in (None, [], {})}

    def suggestion(self, made: Suggestion) -> list[object]:
        edits = [[self.span(edit.span), edit.replacement] for edit in made.edits]
        return [made.title, edits, made.saving, made.verified, made.applicability]

    def verdict(self, verdict: Verdict | None) -> list[object] | None:
        return [str(verdict.word), verdict.why, verdict.is_by_safe_edit] if verdict is not None else None

    def memory_record(self, memory_record: MemoryRecord) -> Plain:
        return {
            "kind": str(memory_record.kind),
            "made": memory_record.made,
            "bytes": self.formula(memory_record.bytes),
            "count": self.formula(memory_record.times.count),
            "atMost": memory_record.times.at_most,
            "function": memory_record.function,
            "written": memory_record.was_written,
            "place": self.span(memory_record.place),
            "functionPlace": self.span(memory_record.function_place),
            "verdict": self.verdict(memory_record.verdict),
            "gone": self.plan is not None and self.plan.helps and self.plan.best.lacks(memory_record),
        }

    def finding(self, finding: Finding, numbers: dict[int, int]) -> Plain:
        return {
            "id": finding.id,
            "place": self.span(finding.op_span),
            "function": finding.function,
            "at": _start(finding.op),
            "inserted": finding.inserted,
            "copies": finding.copies,
            "size": self.formula(finding.size),
            "records": [numbers[id(m)] for m in finding.records if id(m) in numbers],
            "causes": [self.number(cause) for cause in finding.causes],
            "foreseen": self.verdict(finding.foreseen),
            "said": self.diagnostic(finding.with_data() if self.for_machines else finding.diagnostic),
        }


def diagnostics_data(said: Iterable[Diagnostic], source: Source) -> list[Plain]:
    """Serialize findings that refer to the text of `source` only; see `to_data`."""
    serializer = _Serializer(source, for_machines=True)
    return to_plain([serializer.diagnostic(diagnostic) for diagnostic in said])


# -- deserialization


def diagnostics_from(kept: Iterable[Plain], source: Source) -> list[Diagnostic]:
    """Deserialize the result of `diagnostics_data`."""
    reader = _Deserializer(source, None, {"records": ()}, 0)
    return [reader.diagnostic(from_plain(one)) for one in kept]


def relocated(kept: str, part: TextPart) -> Plain:
    """Decode the JSON of a part, with line numbers mapped to the whole text."""
    return from_plain(json.loads(kept), lambda line: part.lines[line - 1] + 1)


@record(frozen=True)
class KeptVerdict:
    """The text of a verdict."""

    word: str
    why: str
    is_by_safe_edit: bool

    def data(self) -> Plain:
        """JSON output places verdicts beside findings and records."""
        return {"word": self.word, "why": self.why}


@record(eq=False)
class KeptRecord(MemoryRecord):
    """A record without its operation."""

    name: str = ""
    at: Span | None = None
    function_at: Span | None = None
    told: Plain | None = None
    gone: bool = False

    @property
    def made(self) -> str:
        return self.name

    @property
    def place(self) -> Span | None:
        return self.at

    @property
    def function_place(self) -> Span | None:
        return self.function_at

    def data(self) -> Plain:
        return dict(self.told or {})


@record(eq=False)
class KeptFinding(Finding):
    """A finding without its operation."""

    id: str = ""  # pyright: ignore[reportIncompatibleVariableOverride]: of the class where there are classes
    located: Span | None = None
    within: str | None = None
    by: tuple[object, ...] = ()

    @property
    def op_span(self) -> Span | None:
        return self.located

    @property
    def function(self) -> str | None:
        return self.within

    @property
    def causes(self) -> tuple[object, ...]:
        return self.by

    def with_data(self) -> Diagnostic:
        return self.diagnostic


@record()
class KeptExplanation(Explanation):
    """The explanations of the parts of a program, assembled."""

    refusals: tuple[Diagnostic, ...] = ()
    bufferizes: bool = True
    comes_to_its_end: bool = True
    copied: tuple[Plain, ...] = ()
    said_of_plan: tuple[str, ...] | None = None

    def plan_lines(self) -> list[str]:
        return list(self.said_of_plan) if self.said_of_plan is not None else Explanation.plan_lines(self)

    @property
    def errors(self) -> list[Diagnostic]:
        return list(self.refusals)

    @property
    def is_bufferized(self) -> bool:
        return self.bufferizes

    @property
    def is_complete(self) -> bool:
        return self.comes_to_its_end

    def out_of_place(self) -> list[Plain]:
        return list(self.copied)

    @classmethod
    def of(cls, source: Source, parts: Sequence[tuple[TextPart, Plain]]) -> KeptExplanation:
        """Assemble parts, each with its data. O(size of the explanations), plus sorting by position.

        Everything outside functions is in every part; findings about it are deduplicated. Advice on options of the
        whole program is omitted, since it does not follow from advice on the parts.
        """
        readers = [_Deserializer(source, part, data, number) for number, (part, data) in enumerate(parts)]
        first = readers[0].data
        order = {name: at for one in readers for name, at in one.functions()}
        findings = [found for one in readers for found in one.findings()]
        remarks = {str(d) + str(d.notes): d for one in readers for d in one.diagnostics("remarks")}
        records = [memory_record for one in readers for memory_record in one.records]
        contracts = [entry for one in readers for entry in one.data["contracts"]]
        copied = [entry for one in readers for entry in one.copied()]
        if len(readers) > 1:
            findings.sort(key=lambda found: (not found[1].inserted, found[0]))
            records.sort(key=lambda m: (m.kind is Kind.CLONE, order.get(m.function, -1)))
            contracts.sort(key=lambda entry: order.get(entry["function"], -1))
            copied.sort(key=lambda entry: entry[0])
        advice = dict.fromkeys(text for one in readers for text in one.data["advice"])
        return cls(
            NOTHING,
            MemoryReport(list(records), None, {name: cost for one in readers for name, cost in one.costs()}),
            [found for _, found in findings],
            list(remarks.values()) if len(readers) > 1 else readers[0].diagnostics("remarks"),
            None,
            None,
            sum(one.data["operands"] for one in readers),
            sum(one.data["inPlace"] for one in readers),
            [text for text in advice if len(readers) == 1 or not text.startswith("--")],
            contracts,
            plan=joined_plans(
                [(one.data["plan"], one.formula) for one in readers if one.data["plan"] is not None]
            ),
            refused=[said for one in readers for said in one.diagnostics("refused")],
            way_out=max((one.data["wayOut"] for one in readers), key=len),
            said_of_plan=tuple(first["planLines"]) if parts[0][0] is None else None,
            refusals=tuple(readers[0].diagnostics("errors")),
            bufferizes=first["bufferized"],
            comes_to_its_end=first["complete"],
            copied=tuple(entry for _, entry in copied),
        )


class _Deserializer:
    """Deserializes one part, with positions in the whole text."""

    def __init__(self, source: Source, part: TextPart | None, data: Plain, number: int) -> None:
        """`part` is None for the whole text."""
        self.source = source
        self.lines = None if part is None or isinstance(part.lines, range) else part.lines
        self.data = data
        self.number = number
        self.own = source if part is None else Source(source.name, part.text)
        self.records = [self.memory_record(i, entry) for i, entry in enumerate(data["records"])]

    def offset(self, offset: int) -> int:
        """Map an offset in the part to the whole text."""
        if self.lines is None or offset < 0:
            return offset
        line, column = self.own.line_column(offset)
        return self.source.line_start(self.source.first_line + self.lines[line - 1]) + column - 1

    def span(self, kept: list[int] | None) -> Any:
        if kept is None:
            return None
        start, end = kept
        at = self.offset(start)
        return Span(self.source, at, self.offset(end - 1) + 1 if end > start else at)

    def functions(self) -> Iterable[tuple[str, int]]:
        return ((name, self.offset(at)) for name, at in self.data["functions"])

    def copied(self) -> list[tuple[int, Plain]]:
        return [(self.offset(at), entry) for at, entry in self.data["outOfPlace"]]

    def costs(self) -> Iterable[tuple[str, EstimatedCost]]:
        return ((name, EstimatedCost(*kept)) for name, kept in self.data["costs"].items())

    def formula(self, kept: Any) -> Any:
        if kept is None or isinstance(kept, int):
            return kept if kept is None else Formula.of(kept)
        return Formula.sum(
            _product(factor, [Symbol(name, (self.number, key), scope) for name, key, scope in symbols])
            for factor, symbols in kept
        )

    def memory_record(self, number: int, kept: Plain) -> KeptRecord:
        memory_report = self.data["memoryReport"]
        return KeptRecord(
            Kind(kept["kind"]),
            NOTHING,
            NOTHING,
            self.formula(kept["bytes"]),
            Times(self.formula(kept["count"]), kept["atMost"]),
            kept["function"],
            kept["written"],
            KeptVerdict(*kept["verdict"]) if kept["verdict"] else None,
            name=kept["made"],
            at=self.span(kept["place"]),
            function_at=self.span(kept["functionPlace"]),
            told=memory_report[number] if memory_report else None,
            gone=kept["gone"],
        )

    def findings(self) -> Iterable[tuple[int, KeptFinding]]:
        for kept in self.data["findings"]:
            found = KeptFinding(
                NOTHING,
                NOTHING,
                [self.records[i] for i in kept["records"]],
                kept["copies"],
                self.formula(kept["size"]),
                NOTHING,
                kept["inserted"],
                diagnostic=self.diagnostic(kept["said"]),
                foreseen=KeptVerdict(*kept["foreseen"]) if kept["foreseen"] else None,
                id=kept["id"],
                located=self.span(kept["place"]),
                within=kept["function"],
                by=tuple((self.number, cause) for cause in kept["causes"]),
            )
            yield self.offset(kept["at"]), found

    def diagnostics(self, key: str) -> list[Diagnostic]:
        return [self.diagnostic(kept) for kept in self.data[key]]

    def diagnostic(self, kept: Plain) -> Diagnostic:
        def labels(which: str) -> list[Label]:
            return [Label(self.span(span), text, primary) for span, text, primary in kept.get(which, ())]

        return Diagnostic(
            Severity(kept["severity"]),
            kept["message"],
            self.span(kept.get("span")),
            kept.get("code"),
            labels("labels"),
            [Note(text, kind) for text, kind in kept.get("notes", ())],
            [self.diagnostic(child) for child in kept.get("children", ())],
            [self.suggestion(*made) for made in kept.get("suggestions", ())],
            labels("steps"),
            kept.get("place"),
            kept.get("data", {}),
        )

    def suggestion(
        self, title: str, edits: list[Any], saving: str | None, verified: bool, applicability: str | None
    ) -> Suggestion:
        made = [Edit(self.span(span), replacement) for span, replacement in edits]
        trust = Applicability(applicability) if applicability is not None else None
        return Suggestion(title, made, saving, verified, trust)


def _product(factor: int, symbols: list[Symbol]) -> Formula:
    product = Formula.of(factor)
    for symbol in symbols:
        product = product * Formula.of(symbol)
    return product


class _AllParts(RouteOutcome):
    """The combined outcome of the parts' routes; the parts report their remaining copies themselves."""

    def lacks(self, copy: MemoryRecord) -> bool:
        return isinstance(copy, KeptRecord) and copy.gone


def joined_plans(
    parts: Sequence[tuple[Plain, Callable[[object], Formula]]],
) -> CopyPlan | None:
    """The plan for a program from the plans of its parts and their size decoders: one command with all helpful
    additions.
    """
    kept = [plan for plan, _ in parts]
    if not kept:
        return None
    routes: list[Route] = []
    for which in (0, 1):
        every = [_route(one["routes"][which]) for one in kept]
        joined = every[0]
        for route in every[1:]:
            switches = {
                name: value or getattr(joined, name)
                for name, value in as_plain(route).items()
                if isinstance(value, bool)
            }
            fewest = switches["fewest"]
            switches |= {name: switches[name] and not fewest for name in ("light", "compare")}
            layout = joined.layout if joined.layout != INFER_LAYOUT else route.layout
            keep = tuple(dict.fromkeys((*joined.keep, *route.keep)))
            joined = replace(joined, layout=layout, keep=keep, **switches)
        routes.append(joined)
    costs: list[Cost] = []
    for which in (0, 1):
        columns = list(zip(*(one["costs"][which] for one in kept), strict=True))
        moved, allocated = (
            Formula.sum(read(size) for size, (_, read) in zip(columns[number], parts, strict=True))
            for number in (3, 4)
        )
        copies, clones, fresh, traffic = (sum(columns[number]) for number in (0, 1, 2, 5))
        costs.append(Cost(copies, clones, fresh, moved, allocated, traffic))
    untried = tuple(dict.fromkeys(flag for one in kept for flag in one["untried"]))
    best = _AllParts(routes[1], costs[1], {}, frozenset())
    return CopyPlan(
        costs[0],
        best,
        kept[0]["file"],
        routes[0],
        sum(one["instead"] for one in kept),
        untried,
        overwritten=tuple(name for one in kept for name in one["overwritten"]),
        clones=sum(one["clones"] for one in kept),
        cloned=Formula.sum(read(one["cloned"]) for one, read in parts),
        tried_edits=any(one["triedEdits"] for one in kept),
    )


def _route(kept: Plain) -> Route:
    options = AnalysisOptions(**_with_tuples(kept["analysis"]))
    fields: Plain = {**_with_tuples(kept), "analysis": options}
    return Route(**fields)


def _with_tuples(kept: Plain) -> Plain:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
