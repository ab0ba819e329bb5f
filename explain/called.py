"""Following a write into the functions that are called: `@wrap` calls `@normalise`, whose `linalg.generic` writes."""

from __future__ import annotations

from ..analysis.places import line_of, operand_span, symbol
from ..analysis.proved import Proved
from ..ir.program.core import OpOperand
from ..ir.program.interfaces import CallOpInterface
from ..ir.source.diagnostics import Diagnostic


def mark_call_path(proved: Proved, write: OpOperand, diagnostic: Diagnostic) -> None:
    """Label the places on the way from a call that writes its operand to the operation that does; nothing if it is no call."""
    call = write
    for callee, inner in proved.call_path(write):
        name = symbol(callee)
        if inner is not None:
            span = operand_span(inner)
            passed_on = isinstance(inner.owner, CallOpInterface)
            text = (
                f"@{name} passes it on here" if passed_on else f"in @{name}, '{inner.owner.name}' writes it"
            )
        elif callee.is_declaration:
            span = callee.name_span
            text = f"@{name} has no body here, so it is taken to write its argument"
        else:
            copied = proved.copied_write(callee, call.index)
            span = callee.name_span if copied is None else operand_span(copied)
            text = f"@{name} is taken to write its argument, though no operation is known to"
            if copied is not None:
                text = f"in @{name}, '{copied.owner.name}' writes only a copy of it"
        if span is not None and all(label.span != span for label in diagnostic.labels):
            diagnostic.label(span, text)
        call = inner if inner is not None else call


def call_path_in_words(proved: Proved, write: OpOperand) -> str:
    """`@wrap calls @normalise, whose 'linalg.generic' on line 2 writes`; empty if no function calls another on the way."""
    path = list(proved.call_path(write))
    if len(path) < 2:
        return ""
    names = [f"@{symbol(callee)}" for callee, _ in path]
    chain = names[0] + "".join(
        f" calls {name}" if i == 0 else f", which calls {name}" for i, name in enumerate(names[1:])
    )
    last, inner = path[-1]
    if inner is None:
        return f"{chain}, which {'has no body here' if last.is_declaration else 'is taken to write it'}"
    line = line_of(inner.owner)
    return f"{chain}, whose '{inner.owner.name}'{f' on line {line}' if line is not None else ''} writes"
