"""Answers to editor requests, each from one `Document`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from ..analysis.function_summaries import describe_contracts
from ..analysis.graphs import passed_pairs
from ..analysis.models.base import TENSOR_TYPES
from ..analysis.naming import operand_span, symbol, value_name, value_span
from ..analysis.one_shot.result import AnalysisResult
from ..analysis.sizes import in_bytes
from ..explain.finding import Finding, in_words
from ..ir.program.core import BlockArgument, Operation, OpOperand, OpResult, Value
from ..ir.program.interfaces import CallOpInterface, FunctionOp, RegionBranchOp
from ..ir.source.diagnostics import Applicability, Diagnostic, Severity
from ..ir.source.locations import Span
from ..ir.source.text import Text, joined, say
from .completion import summary
from .document import Document, Stage, position, range_of

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.REMARK: lsp.DiagnosticSeverity.Information,
    Severity.NOTE: lsp.DiagnosticSeverity.Hint,
}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")

TOKEN_TYPES = ["variable"]
CLASSES = 8
TOKEN_MODIFIERS = [f"memory{i}" for i in range(CLASSES)]
"""Values that may alias share a modifier; colours repeat after eight alias classes."""


def diagnostics(document: Document, uri: str, stage: Stage = Stage.FREED) -> list[lsp.Diagnostic]:
    """Errors of the text, or else the findings of a stage, with related places."""
    return [_diagnostic(found, document, uri) for found in document.diagnostics(stage)]


def _diagnostic(found: Diagnostic, document: Document, uri: str) -> lsp.Diagnostic:
    related = [
        lsp.DiagnosticRelatedInformation(lsp.Location(uri, range_of(label.span)), plain(label.text))
        for label in (*found.steps, *found.labels)
        if label.text and label.span.source is document.source and label.span != found.primary_span
    ]
    related += [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(uri, range_of(child.primary_span)), plain(child.message)
        )
        for child in found.children
        if child.primary_span is not None and child.primary_span.source is document.source
    ]
    notes = joined("", (f"\n{note.kind}: " + note.text for note in found.notes))
    return lsp.Diagnostic(
        _range(found.primary_span, document),
        plain(found.message + notes),
        severity=_SEVERITIES[found.severity],
        code=found.code,
        source="bufferize",
        related_information=related,
    )


def code_actions(document: Document, uri: str, at: lsp.Range) -> list[lsp.CodeAction]:
    """The verified suggestions of the findings in a range, as edits."""
    actions: list[lsp.CodeAction] = []
    for found in document.errors or document.shown(document.helped):
        place = _range(found.primary_span, document)
        if place.end < at.start or at.end < place.start:
            continue
        for i, suggestion in enumerate(found.suggestions):
            edits = [lsp.TextEdit(range_of(edit.span), edit.replacement) for edit in suggestion.edits]
            saving = say(" (saves {saving})", saving=suggestion.saving) if suggestion.saving else ""
            trust = suggestion.applicability
            if trust is not None and trust is not Applicability.SAFE:
                saving += f" [{trust}]"
            actions.append(
                lsp.CodeAction(
                    plain(suggestion.title + saving),
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[_diagnostic(found, document, uri)],
                    is_preferred=i == 0 and trust in (None, Applicability.SAFE),
                    edit=lsp.WorkspaceEdit(changes={uri: edits}),
                )
            )
    return actions


def hover(document: Document, offset: int) -> lsp.Hover | None:
    """The value at `offset`: its type, definition, aliases, and the reason for its copy; or the function or operation there."""
    value = document.value_at(offset)
    if value is None:
        return _hover_function(document, offset) or _hover_operation(document, offset)
    lines = [f"{value_name(value)} : {value.type}"]
    facts: list[str] = []
    explanation = document.explanation
    if explanation is not None and not explanation.errors:
        result = explanation.result
        facts += [_comes_from(value, result)] if isinstance(value.type, TENSOR_TYPES) else []
        sharing = [other for other in result.alias_set(value) if other is not value]
        if sharing:
            shown = ", ".join(value_name(other) for other in sharing[:8])
            more = f" and {len(sharing) - 8} more" if len(sharing) > 8 else ""
            facts.append(f"May share its buffer with {shown}{more}.")
        sources = [other for other in result.definitions(value) if other is not value]
        if sources:
            facts.append(f"Gets its contents from {', '.join(value_name(other) for other in sources)}.")
        facts += [
            finding.diagnostic.message
            for finding in explanation.findings
            if finding.value is value or (isinstance(value, OpResult) and finding.op is value.owner)
        ]
    return _card(lines[0], facts)


def _card(head: str, facts: Iterable[str]) -> lsp.Hover:
    text = "```mlir\n" + plain(head) + "\n```" + joined("", ("\n\n" + plain(fact) for fact in facts))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text))


def _hover_function(document: Document, offset: int) -> lsp.Hover | None:
    """The signature, costs and contract of the function whose name is at `offset`."""
    name = document.symbol_at(offset)
    if name is None:
        return None
    for function in document.functions():
        if symbol(function) == name and function.span is not None:
            head = function.span.text.partition("\n")[0].rstrip(" {")
            return _card(head, _costs(document).get(name, ()))
    return None


def _hover_operation(document: Document, offset: int) -> lsp.Hover | None:
    """The summary and the findings of the operation whose name is at `offset`."""
    op = document.operation_at(offset)
    place = op.name_span if op is not None else None
    if op is None or place is None or not place.start <= offset <= place.end:
        return None
    explanation = document.explanation
    findings = explanation.findings if explanation is not None else ()
    return _card(
        op.name,
        [*summary(type(op)), *(finding.diagnostic.message for finding in findings if finding.op is op)],
    )


def _comes_from(value: Value, result: AnalysisResult) -> str:
    """The origin of a tensor's buffer, following in-place operands back. O(alias class)."""
    state = result.state
    pending, seen, begins = [value], {value}, list[Value]()
    while pending:
        at = pending.pop()
        around = at.owner.parent_op if isinstance(at, BlockArgument) else None
        handed_in = passed_pairs(around) if isinstance(around, RegionBranchOp) else ()
        given = [use for use, value in handed_in if value is at]
        given += [a.operand for a in state.aliasing_operands(at)]
        handed = [operand.value for operand in given if operand in state.in_place]
        begins += [] if handed else [at]
        for other in handed:
            if other not in seen:
                seen.add(other)
                pending.append(other)
    return f"Its buffer {' or '.join(dict.fromkeys(_beginning(at, at is value) for at in begins))}."


def _beginning(value: Value, is_itself: bool) -> str:
    if isinstance(value, BlockArgument) and isinstance(value.owner.parent_op, FunctionOp):
        return "is the caller's" if is_itself else f"is that of {value_name(value)}, from the caller"
    made = f"is allocated by '{value.owner.name}'" if isinstance(value, OpResult) else "is made"
    return made if is_itself else f"{made} for {value_name(value)}"


def definition(document: Document, uri: str, offset: int) -> lsp.Location | None:
    """Where the value or function at `offset` is defined."""
    found = document.definition(offset)
    return None if found is None else lsp.Location(uri, range_of(found))


def references(document: Document, uri: str, offset: int) -> list[lsp.Location]:
    """All mentions of the value or function at `offset`."""
    return [lsp.Location(uri, range_of(span)) for span in document.references(offset)]


def highlights(document: Document, offset: int) -> list[lsp.DocumentHighlight]:
    """The definition and the uses of the value or function at `offset`."""
    defined = document.definition(offset)
    return [
        lsp.DocumentHighlight(
            range_of(span),
            lsp.DocumentHighlightKind.Write if span == defined else lsp.DocumentHighlightKind.Read,
        )
        for span in document.references(offset)
    ]


def call_item(document: Document, uri: str, offset: int) -> list[lsp.CallHierarchyItem]:
    """The function whose name is at `offset`."""
    name = document.symbol_at(offset)
    return [_item(f, uri) for f in document.functions() if name is not None and symbol(f) == name]


def callers(document: Document, uri: str, name: str) -> list[lsp.CallHierarchyIncomingCall]:
    """The callers of a function, with call sites."""
    return [
        lsp.CallHierarchyIncomingCall(_item(caller, uri), places)
        for caller in document.functions()
        if (places := [place for callee, place in _calls(caller) if callee == name])
    ]


def callees(document: Document, uri: str, name: str) -> list[lsp.CallHierarchyOutgoingCall]:
    """The callees of a function, with call sites."""
    found: dict[str, list[lsp.Range]] = {}
    for function in document.functions():
        for callee, place in _calls(function) if symbol(function) == name else ():
            found.setdefault(callee, []).append(place)
    return [
        lsp.CallHierarchyOutgoingCall(_item(f, uri), found[symbol(f) or ""])
        for f in document.functions()
        if symbol(f) in found
    ]


def _calls(function: Operation) -> Iterator[tuple[str, lsp.Range]]:
    for op in function.walk():
        callee = op.callee_symbol() if isinstance(op, CallOpInterface) else None
        if callee is not None and op.name_span is not None:
            yield callee.root, range_of(op.name_span)


def _item(function: Operation, uri: str) -> lsp.CallHierarchyItem:
    whole, name = function.span, function.name_span
    place = range_of(whole) if whole is not None else lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    chosen = range_of(name) if name is not None else place
    return lsp.CallHierarchyItem(plain(symbol(function) or ""), lsp.SymbolKind.Function, uri, place, chosen)


def inlay_hints(document: Document, start: int, end: int) -> list[lsp.InlayHint]:
    """Hints after operands that could be in place: in place, or the cost of the copy. Hints before operations: frees
    in front of them.

    Frees are known in the last stage only.
    """
    explanation = document.explanation
    if explanation is None or explanation.errors:
        return []
    result = explanation.result
    copied = {f.operand: f for f in explanation.findings if f.inserted and f.operand is not None}
    hints: list[lsp.InlayHint] = []
    for operand in result.operands():
        where = operand.owner.where
        if where is None or where[3] < start or where[1] > end:
            continue
        finding = copied.get(operand)
        if finding is not None:
            text = _cost(finding)
        elif result.is_in_place(operand) and result.state.writes(operand):
            text = "in place"
        else:
            continue
        place = _mention(operand)
        if place is not None:
            hints.append(lsp.InlayHint(position(document.source, place.end), text, padding_left=True))
    for place, name in document.frees if document.has_reached(Stage.FREED) else ():
        if start <= place.start <= end:
            text = f"frees {plain(name)}"
            hints.append(lsp.InlayHint(position(document.source, place.start), text, padding_right=True))
    return hints


def _cost(finding: Finding) -> str:
    what = "copy" if finding.copies else "new buffer"
    times = in_words(finding.times, finding.size)
    return say("{what}, {bytes}{times}", what=what, bytes=in_bytes(finding.size), times=times)


def _mention(operand: OpOperand) -> Span | None:
    span = operand_span(operand)
    return span if span is not None and span != operand.owner.name_span else None


def code_lenses(document: Document) -> list[lsp.CodeLens]:
    """Per function: its copies, its peak memory, and its contract."""
    costs = _costs(document)
    return [
        lsp.CodeLens(range_of(function.name_span), lsp.Command(plain("; ".join(said)), ""))
        for function in document.functions()
        if function.name_span is not None and (said := costs.get(symbol(function) or ""))
    ]


def _costs(document: Document) -> dict[str, list[str]]:
    """By function: its copies, its peak memory unless the summary has it, and its contract."""
    explanation = document.explained(Stage.COSTS)
    if explanation is None:
        return {}
    peaks = document.peaks
    found: dict[str, list[str]] = {}
    for name, report in explanation.memory_report.by_function().items():
        found[name] = [report.summary()]
    for name, peak in peaks.items():
        said = found.setdefault(name, [])
        if not any("peak " in line for line in said):
            said.append(f"peak {peak}")
    for entry in explanation.contracts:
        lines = describe_contracts([entry])
        found.setdefault(entry["function"], []).extend(line.partition(": ")[2] for line in lines)
    return found


def document_symbols(document: Document) -> list[lsp.DocumentSymbol]:
    """The functions of the program."""
    found: list[lsp.DocumentSymbol] = []
    for function in document.functions():
        whole, place = function.span, function.name_span
        if whole is not None and place is not None:
            name = plain(f"@{symbol(function)}")
            found.append(lsp.DocumentSymbol(name, lsp.SymbolKind.Function, range_of(whole), range_of(place)))
    return found


def folding_ranges(document: Document) -> list[lsp.FoldingRange]:
    """The operations with regions that span several lines."""
    if document.module is None:
        return []
    found: list[lsp.FoldingRange] = []
    for op in document.module.walk():
        if not op.regions or op.span is None or op is document.module:
            continue
        start = op.span.line - document.source.first_line
        lines = op.span.text.rstrip().count("\n")
        if lines:
            found.append(lsp.FoldingRange(start, start + lines - 1))  # the closing brace stays visible
    return found


def rename(document: Document, uri: str, offset: int, name: str) -> lsp.WorkspaceEdit | None:
    """Rename the value or function at `offset` everywhere; None if there is neither.

    Raises:
        ValueError: the new name is invalid or taken.
    """
    is_value = document.value_at(offset) is not None
    bare = name.lstrip("%@")
    if not re.fullmatch(r"[A-Za-z_$.-][\w$.-]*|\d+" if is_value else r"[A-Za-z_][\w$.]*", bare):
        raise ValueError(f"'{name}' is not a valid name")
    mark = "%" if is_value else "@"
    if re.search(rf"{re.escape(mark + bare)}(?![\w$.-])", document.source.text):
        raise ValueError(f"{mark}{bare} is already used")
    spans = document.references(offset)
    if not spans:
        return None
    edits = [
        lsp.TextEdit(range_of(span), re.sub(r"^[%@][\w$.-]+", lambda _: mark + bare, span.text))
        for span in spans
    ]
    return lsp.WorkspaceEdit(changes={uri: edits})


Token = tuple[int, int, int, int]
"""Line, column, length, and alias class number."""


def tokens(document: Document) -> set[Token]:
    """All mentions of tensor values, coloured by alias class."""
    explanation = document.explanation
    if explanation is None or explanation.errors:
        return set()
    classes: dict[Value, int] = {}
    found: set[Token] = set()
    for place, value in _tensor_mentions(explanation.result.operands()):
        alias = explanation.result.state.alias
        if alias.class_size(value) < 2:
            continue
        number = classes.setdefault(alias.find(value), len(classes)) % CLASSES
        start = position(document.source, place.start)
        found.add((start.line, start.character, place.end - place.start, number))
    return found


def encoded(tokens: set[Token]) -> list[int]:
    """Tokens in the protocol's encoding, each relative to the previous one."""
    data: list[int] = []
    line = character = 0
    for at, column, length, number in sorted(tokens):
        data += [at - line, column - character if at == line else column, length, 0, 1 << number]
        line, character = at, column
    return data


def _tensor_mentions(operands: Iterator[OpOperand]) -> Iterator[tuple[Span, Value]]:
    for operand in operands:
        place = _mention(operand)
        if place is not None:
            yield place, operand.value
        defined = value_span(operand.value)
        if defined is not None and defined.text.startswith("%"):
            yield defined, operand.value


def bufferized(document: Document) -> str | None:
    """The program after One-Shot Bufferize, as text; None if it fails."""
    explanation = document.explained(Stage.COSTS)
    if explanation is None or explanation.bufferized is None or not explanation.is_bufferized:
        return None
    module: Operation = explanation.bufferized.module
    return str(module)


def _range(span: Span | None, document: Document) -> lsp.Range:
    if span is None or span.source is not document.source:
        return lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    return range_of(span)


def plain(text: str) -> str:
    """Text without control characters, which names may contain and editors would interpret."""
    if isinstance(text, Text):
        return text.mapped(lambda given: _CONTROL.sub("�", given) if isinstance(given, str) else given)
    return _CONTROL.sub("�", text)
