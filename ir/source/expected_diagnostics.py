"""`--verify-diagnostics`: expected diagnostics written beside the lines of a test file.

    // expected-error@+1 {{redefinition of SSA value}}
    %a = arith.constant 1 : i32

The notation is that of `mlir-opt`:

    expected-(error|warning|remark|note)[-re] [@(+N|-N|above|below|unknown)] {{text}}

at the end of a line, with optional spaces between the parts. The text must occur in the message. In the
``-re`` form the parts in double braces are regular expressions, ``{{[0-9]+}}``.
``@+N`` and ``@-N`` count lines, ``@above`` and ``@below`` refer to the nearest line in that direction that
holds no expectation itself, and ``@unknown`` matches diagnostics without a location in the file.

One expectation may be met by several diagnostics of its line, as in `mlir-opt`. A diagnostic of another
severity that would otherwise meet an expectation is reported as a near miss instead of as unexpected.

Python's `re` backtracks, so a file could hang the tool with ``(a*)*b``; a set of states followed through the text cannot [1]_:
regular expressions take time O(pattern * text). Their notation is the POSIX extended one that LLVM takes:
``. [a-z] [^...] [[:alpha:]] ( ) | * + ? {m,n} ^ $ \\.``; no back references.

.. [1] K. Thompson, "Regular expression search algorithm", CACM 11(6), 1968.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .diagnostics import Diagnostic, Severity, error
from .locations import Source, Span

MAX_STATES = 20_000
"""A bound on the compiled pattern: ``{m,n}`` is expanded, and nested ones multiply."""
MAX_NESTING = 100
"""A bound on parentheses within parentheses; the pattern is parsed by recursive descent."""
MAX_REPETITIONS = 255
"""The greatest number allowed in ``{m,n}``, POSIX's RE_DUP_MAX."""

_SPECIAL = frozenset("\\^$.|?*+()[]{}")
_CLASSES: dict[str, Callable[[str], bool]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "blank": lambda c: c in " \t",
    "cntrl": lambda c: ord(c) < 32 or ord(c) == 127,
    "digit": lambda c: c in "0123456789",
    "graph": lambda c: c.isprintable() and c != " ",
    "lower": str.islower,
    "print": str.isprintable,
    "punct": lambda c: c.isprintable() and not c.isalnum() and c != " ",
    "space": lambda c: c in " \t\n\v\f\r",
    "upper": str.isupper,
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}

# A state is (what, argument, next states). "set" consumes a character its predicate accepts; the others
# consume nothing.
_SET, _SPLIT, _BEGIN, _END, _ACCEPT = range(5)


class RegexError(ValueError):
    """The pattern is malformed or too large. The message begins like LLVM's."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason if reason.startswith("found start") else f"invalid regex: {reason}")


class PosixRegex:
    """A compiled pattern. Raises RegexError."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._kinds: list[int] = []
        self._accepts: list[Callable[[str], bool] | None] = []
        self._next: list[list[int]] = []
        compiler = _Compiler(pattern, self)
        self._start, exits = compiler.alternatives(0)
        if compiler.at < len(pattern):
            raise RegexError("parentheses not balanced")
        accept = self.add(_ACCEPT)
        self.connect(exits, accept)

    @staticmethod
    def escape(text: str) -> str:
        """A pattern that matches exactly `text`."""
        return "".join(f"\\{c}" if c in _SPECIAL else c for c in text)

    def add(self, kind: int, accepts: Callable[[str], bool] | None = None) -> int:
        """A new state without successors."""
        if len(self._kinds) >= MAX_STATES:
            raise RegexError("pattern is too big")
        self._kinds.append(kind)
        self._accepts.append(accepts)
        self._next.append([])
        return len(self._kinds) - 1

    def connect(self, states: list[int], target: int) -> None:
        """Let each of `states` continue at `target`."""
        for state in states:
            self._next[state].append(target)

    def search(self, text: str) -> bool:
        """Whether the pattern matches somewhere in `text`. O(states * characters)."""
        current: set[int] = set()
        for position in range(len(text) + 1):
            current.add(self._start)  # a match may begin anywhere
            self._close(current, position == 0, position == len(text))
            if any(self._kinds[state] == _ACCEPT for state in current):
                return True
            if position < len(text):
                character = text[position]
                following: set[int] = set()
                for state in current:
                    accepts = self._accepts[state]
                    if accepts is not None and accepts(character):
                        following.update(self._next[state])
                current = following
        return False

    def _close(self, states: set[int], at_begin: bool, at_end: bool) -> None:
        """Extend `states` by the states reachable without consuming a character (epsilon closure)."""
        pending = list(states)
        while pending:
            state = pending.pop()
            kind = self._kinds[state]
            if kind == _SPLIT or (kind == _BEGIN and at_begin) or (kind == _END and at_end):
                for target in self._next[state]:
                    if target not in states:
                        states.add(target)
                        pending.append(target)


class _Compiler:
    """Recursive descent over a pattern. A fragment is its first state and its dangling states."""

    def __init__(self, pattern: str, regex: PosixRegex) -> None:
        self.pattern = pattern
        self.regex = regex
        self.at = 0

    def peek(self) -> str:
        return self.pattern[self.at] if self.at < len(self.pattern) else ""

    def alternatives(self, nesting: int) -> tuple[int, list[int]]:
        if nesting > MAX_NESTING:
            raise RegexError("parentheses nested too deeply")
        split = self.regex.add(_SPLIT)
        exits: list[int] = []
        while True:
            start, ends = self.sequence(nesting)
            self.regex.connect([split], start)
            exits.extend(ends)
            if self.peek() != "|":
                return split, exits
            self.at += 1

    def sequence(self, nesting: int) -> tuple[int, list[int]]:
        start = self.regex.add(_SPLIT)
        exits = [start]
        while self.peek() not in ("", "|", ")"):
            first, ends = self.repeated(nesting)
            self.regex.connect(exits, first)
            exits = ends
        return start, exits

    def repeated(self, nesting: int) -> tuple[int, list[int]]:
        begin = self.at
        first, exits = self.atom(nesting)
        mark = self.peek()
        if mark == "" or mark not in "*+?{":
            return first, exits
        self.at += 1
        if mark == "{":
            first, exits = self.counted(begin, nesting, *self.bounds())
        else:
            # One state decides whether to repeat; entering there may skip the atom.
            choice = self.regex.add(_SPLIT)
            self.regex.connect([choice], first)
            if mark == "?":
                first, exits = choice, [choice, *exits]
            else:
                self.regex.connect(exits, choice)
                first, exits = (choice if mark == "*" else first), [choice]
        if (mark := self.peek()) and mark in "*+?{":
            raise RegexError("repetition-operator operand invalid")
        return first, exits

    def bounds(self) -> tuple[int, int | None]:
        """The numbers of ``{m}``, ``{m,}`` or ``{m,n}``, after the opening brace."""
        end = self.pattern.find("}", self.at)
        low, comma, high = self.pattern[self.at : end].partition(",")
        if end == -1 or not low.isdecimal() or not (high.isdecimal() or not high) or len(low + high) > 8:
            raise RegexError("invalid repetition count(s)")
        self.at = end + 1
        least = int(low)
        most = (int(high) if high else None) if comma else least
        if max(least, most or 0) > MAX_REPETITIONS or (most is not None and most < least):
            raise RegexError("invalid repetition count(s)")
        return least, most

    def counted(self, begin: int, nesting: int, low: int, high: int | None) -> tuple[int, list[int]]:
        """The atom whose text is at `begin`, repeated `low` to `high` times (None: unbounded).

        Every copy compiles the text again, since each copy needs states of its own.
        """
        resume = self.at
        start = self.regex.add(_SPLIT)
        exits = [start]
        skips: list[int] = []
        copies = low + 1 if high is None else high
        for copy in range(copies):
            choice = self.regex.add(_SPLIT)
            self.regex.connect(exits, choice)
            self.at = begin
            first, exits = self.atom(nesting)
            self.regex.connect([choice], first)
            if copy >= low:
                skips.append(choice)
                if high is None:
                    self.regex.connect(exits, choice)
                    exits = []
        self.at = resume
        return start, exits + skips

    def atom(self, nesting: int) -> tuple[int, list[int]]:
        character = self.peek()
        self.at += 1
        if character == "(":
            first, exits = self.alternatives(nesting + 1)
            if self.peek() != ")":
                raise RegexError("parentheses not balanced")
            self.at += 1
            return first, exits
        if character in "*+?{":
            raise RegexError("repetition-operator operand invalid")
        if character in "^$":
            state = self.regex.add(_BEGIN if character == "^" else _END)
        elif character == ".":
            state = self.regex.add(_SET, lambda c: True)
        elif character == "[":
            state = self.regex.add(_SET, self.bracket())
        else:
            if character == "\\":
                character = self.peek()
                self.at += 1
                if not character:
                    raise RegexError("trailing backslash (\\)")
            state = self.regex.add(_SET, character.__eq__)
        return state, [state]

    def bracket(self) -> Callable[[str], bool]:
        """A bracket expression, after its ``[``. A ``]`` that comes first is literal."""
        negated = self.peek() == "^"
        self.at += negated
        ranges: list[tuple[str, str]] = []
        classes: list[Callable[[str], bool]] = []
        first = True
        while (character := self.peek()) != "]" or first:
            if not character:
                raise RegexError("brackets ([ ]) not balanced")
            first = False
            if self.pattern.startswith("[:", self.at):
                end = self.pattern.find(":]", self.at)
                predicate = _CLASSES.get(self.pattern[self.at + 2 : end])
                if predicate is None:
                    raise RegexError("invalid character class")
                classes.append(predicate)
                self.at = end + 2
                continue
            self.at += 1
            last = character
            if self.peek() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("", "]"):
                last = self.pattern[self.at + 1]
                self.at += 2
                if last < character:
                    raise RegexError("invalid character range")
            ranges.append((character, last))
        self.at += 1

        def accepts(c: str) -> bool:
            inside = any(low <= c <= high for low, high in ranges) or any(test(c) for test in classes)
            return inside != negated

        return accepts


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
