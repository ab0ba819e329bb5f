"""`--verify-diagnostics`: expected diagnostics written beside the lines of a test file.

    // expected-error@+1 {{redefinition of SSA value}}
    %a = arith.constant 1 : i32

The notation is that of `mlir-opt`:

    expected-(error|warning|remark|note)[-re] [@(+N|-N|above|below|unknown)] {{text}}

at the end of a line, with optional spaces between the parts. The text must occur in the message. In the
``-re`` form the parts in double braces are regular expressions, ``{{[0-9]+}}``; see posix_regex.py.
``@+N`` and ``@-N`` count lines, ``@above`` and ``@below`` refer to the nearest line in that direction that
holds no expectation itself, and ``@unknown`` matches diagnostics without a location in the file.

One expectation may be met by several diagnostics of its line, as in `mlir-opt`. A diagnostic of another
severity that would otherwise meet an expectation is reported as a near miss instead of as unexpected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .diagnostics import Diagnostic, Severity, error
from .locations import Source, Span
from .posix_regex import PosixRegex, RegexError

_EXPECTATION = re.compile(
    r"expected-(error|note|remark|warning)(-re)? *(?:@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\} *$"
)
_MARK = "expected-"


@dataclass(slots=True)
class Expectation:
    """One ``expected-...`` of a file. `line` is the line it refers to, None for ``@unknown``."""

    severity: Severity
    line: int | None
    text: str
    span: Span
    regex: PosixRegex | None = None
    met: bool = False

    def accepts(self, message: str) -> bool:
        """Whether the message matches, regardless of severity."""
        return self.regex.search(message) if self.regex is not None else self.text in message


def parse_expectations(source: Source) -> tuple[list[Expectation], list[Diagnostic]]:
    """The expectations of a text in order, and errors for malformed ones. O(text)."""
    expectations: list[Expectation] = []
    problems: list[Diagnostic] = []
    waiting_for_plain_line: list[Expectation] = []
    last_plain_line = None
    for number in range(source.first_line, source.last_line + 1):
        line = source.line(number)
        match = _EXPECTATION.search(line) if _MARK in line else None
        if match is None:
            for expectation in waiting_for_plain_line:
                expectation.line = number
            waiting_for_plain_line.clear()
            last_plain_line = number
            continue
        kind, is_regex, where, text = match.groups()
        start = source.line_start(number) + match.start()
        expectation = Expectation(Severity(kind), number, text, source.span(start, start + len(text)))
        if is_regex:
            try:
                expectation.regex = regex_of(text)
            except RegexError as failure:
                problems.append(error(str(failure), expectation.span))
                continue
        if where == "below":
            # At the end of the file there is no such line; this line, which holds an expectation, never matches.
            waiting_for_plain_line.append(expectation)
        elif where == "above":
            expectation.line = last_plain_line if last_plain_line is not None else number
        elif where == "unknown":
            expectation.line = None
        elif where is not None:
            expectation.line = number + int(
                where[:18]
            )  # no file has 10**17 lines, and int() of longer numbers is slow
        expectations.append(expectation)
    return expectations, problems


def regex_of(text: str) -> PosixRegex:
    """The pattern of an ``expected-...-re``: literal text with regular expressions in double braces.

    Raises RegexError.
    """
    pattern: list[str] = []
    rest = 0
    while (start := text.find("{{", rest)) != -1:
        pattern.append(PosixRegex.escape(text[rest:start]))
        end = text.find("}}", start + 2)
        if end == -1:
            raise RegexError("found start of regex with no end '}}'")
        pattern.append(f"({text[start + 2 : end]})")
        rest = end + 2
    pattern.append(PosixRegex.escape(text[rest:]))
    return PosixRegex("".join(pattern))


class DiagnosticVerifier:
    """Compares emitted diagnostics with the expectations of a text. Register it as a handler of an engine.

    With `only_expected`, unexpected diagnostics and near misses are ignored.
    """

    def __init__(self, sources: Source | Iterable[Source], only_expected: bool = False) -> None:
        self.only_expected = only_expected
        self.failures: list[Diagnostic] = []
        self.expectations: list[Expectation] = []
        self._at_line: dict[tuple[str, int | None], list[Expectation]] = {}
        for source in (sources,) if isinstance(sources, Source) else sources:
            expectations, problems = parse_expectations(source)
            self.expectations.extend(expectations)
            self.failures.extend(problems)
            for expectation in expectations:
                place = ("", None) if expectation.line is None else (source.name, expectation.line)
                self._at_line.setdefault(place, []).append(expectation)

    def __call__(self, diagnostic: Diagnostic) -> None:
        """Record an emitted diagnostic and its attached notes."""
        pending = [diagnostic]
        while pending:
            current = pending.pop()
            self._compare(current)
            pending.extend(reversed(current.children))

    def _compare(self, emitted: Diagnostic) -> None:
        span = emitted.span
        candidates = self._at_line.get(("", None) if span is None else (span.source.name, span.line), ())
        near_miss: Expectation | None = None
        for expectation in candidates:
            if expectation.accepts(emitted.message):
                if expectation.severity == emitted.severity:
                    expectation.met = True
                    return
                near_miss = expectation
        if self.only_expected:
            return
        if near_miss is not None:
            start = near_miss.span.start
            message = f"'{emitted.severity}' diagnostic emitted when expecting a '{near_miss.severity}'"
            self.failures.append(error(message, near_miss.span.source.span(start, start)))
        else:
            place = None if span is None else span.source.span(span.start)
            message = f"unexpected {emitted.severity}: {emitted.message}"
            failure = error(message, place)
            failure.place = emitted.place
            self.failures.append(failure)

    def finish(self) -> list[Diagnostic]:
        """All differences from the expectations; empty if the test passes.

        Print them with ``format_plain(failure, underline=True)``.
        """
        missing = (
            error(
                f'expected {expectation.severity} "{expectation.text}" was not produced',
                expectation.span if expectation.line is not None else None,
            )
            for expectation in self.expectations
            if not expectation.met
        )
        return [*self.failures, *missing]
