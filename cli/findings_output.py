"""Findings as text, JSON, GitHub annotations or SARIF, checked against a project's budgets and baseline."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..ir.source.diagnostics import InputError, error
from ..ir.source.records import record
from . import arguments, output

if TYPE_CHECKING:
    from ..explain.explanation import Explanation
    from ..ir.program.core import Operation
    from ..ir.source.diagnostics import Diagnostic, Meaning
    from ..transforms.memory_report import MemoryRecord


FORMATS = ("text", "json", "github", "sarif")
FIRST = 20
"""Findings or groups shown as text without `--limit`."""


def add_format(parser: arguments.Parser) -> None:
    """Declare `--format` and `-o`, which `write` reads."""
    arguments.add_choice(
        parser,
        "--format",
        FORMATS,
        "text",
        "output for people, programs, GitHub annotations or SARIF viewers",
    )
    arguments.add_output(parser, "write to FILE instead of standard output")


def add_choice_of_findings(parser: arguments.Parser, shown: str) -> None:
    """Declare `--select` and `--limit`, which `is_selected` and `as_limited_text` read."""
    parser.flags("--select ID...  report only findings with this id")
    parser.add_argument("--limit", type=count, metavar="N", help=shown)


def count(text: str) -> int:
    """Parse a count."""
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"expected a number, not '{text}'")
    return int(text)


def check_ids(ids: Sequence[str], known: Iterable[str]) -> None:
    """Reject unknown ids of findings.

    Raises:
        UsageError: an id is unknown.
    """
    names = set(known)
    for name in ids:
        if name not in names:
            raise arguments.UsageError(f"there is no finding '{name}'{arguments.did_you_mean(name, names)}")


def is_selected(diagnostic: Diagnostic, flags: argparse.Namespace) -> bool:
    """Whether `--select` includes it."""
    return not flags.select or diagnostic.code in flags.select


def as_text(diagnostics: Sequence[Diagnostic], flags: argparse.Namespace) -> str:
    """The findings as text, ending in a newline; empty if there are none."""
    from ..viz.render_diagnostic import render_diagnostics
    from ..viz.render_style import terminal_width, wants_color, wants_unicode

    if not diagnostics:
        return ""
    color = wants_color(sys.stdout, flags.color) and (flags.output == "-" or flags.color == "always")
    unicode = wants_unicode(sys.stdout) if flags.output == "-" else True
    width = terminal_width(sys.stdout)
    return render_diagnostics(diagnostics, width=width, color=color, unicode=unicode) + "\n"


def as_limited_text(diagnostics: Sequence[Diagnostic], flags: argparse.Namespace) -> str:
    """Findings up to `--limit` as text, and how many more there are."""
    limit = FIRST if flags.limit is None else flags.limit or len(diagnostics)
    text = as_text(diagnostics[:limit], flags)
    left = len(diagnostics) - limit
    return text + (f"\nand {left:,} more: --limit 0 shows all\n" if left > 0 else "")


def for_machines(
    diagnostics: Sequence[Diagnostic], format: str, summary: object, rules: Sequence[Meaning]
) -> str:
    """The findings as JSON (with `summary`), GitHub annotations or SARIF (with `rules`, and the totals of `summary`)."""
    if format == "json":
        import json

        from ..viz.render_formats import to_plain

        data = to_plain(diagnostics)
        data["summary"] = summary
        return json.dumps(data, indent=1) + "\n"
    if format == "github":
        from ..viz.render_formats import to_github

        return to_github(diagnostics) + "\n"
    from .. import __version__
    from ..viz.render_formats import to_sarif

    totals = {"summary": _numbers(summary)} if summary else None
    return to_sarif(diagnostics, __version__, rules, properties=totals) + "\n"


def _numbers(summary: Any) -> Any:
    """A summary without its lists, which the results contain."""
    if isinstance(summary, dict):
        return {key: value for key, value in summary.items() if not isinstance(value, dict | list)}
    return [_numbers(entry) for entry in summary]


# Copy budgets for continuous integration: exceeding one is an error with a place.
#
# Nothing passes for lack of checking: a budget for an unknown function is rejected, and a program that cannot be
# bufferized violates every budget.

ADDED = "added"
MOST_PLACES = 6
"""Copies that are labelled if there are too many."""


@record(frozen=True)
class Budgets:
    """How many copies are allowed.

    Attributes:
        by_name: in named functions.
        others: in each other function; None for any number.
        only_added: count only copies added by bufferization: no clones, no copies of the input program.
    """

    by_name: dict[str, int]
    others: int | None
    only_added: bool = False

    def allowed(self, name: str) -> int | None:
        """How many copies a function may have; None for any number."""
        return self.by_name.get(name, self.others)

    @property
    def any(self) -> bool:
        """Whether there is any limit."""
        return bool(self.by_name) or self.others is not None


def read_budgets(texts: Sequence[str], none: str | bool = False) -> Budgets:
    """Parse the budgets of `--budget`; `none` allows no copy anywhere (`--fail-on-copy`, or "added").

    Raises:
        UsageError: one is not a number.
    """
    named: dict[str, int] = {}
    for text in texts:
        name, _, count = text.rpartition("=")
        if not count.isdigit():
            raise arguments.UsageError(f"--budget takes a number or NAME=NUMBER, not '{text}'")
        named[name.removeprefix("@")] = int(count)
    others = named.pop("", None)
    return Budgets({}, 0, none == ADDED) if none else Budgets(named, others, True)


def check_names(names: Iterable[str], modules: Sequence[Operation], flag: str = "") -> None:
    """Reject names of functions that no program contains. O(operations) if there are names.

    Raises:
        UsageError: a name is unknown; suggests similar ones.
    """
    wanted = {name.removeprefix("@") for name in names}
    if not wanted:
        return
    from ..analysis.naming import symbol

    known = {symbol(op) for module in modules for op in module.walk() if "sym_name" in op.properties}
    for name in sorted(wanted - known):
        hint = arguments.did_you_mean(name, [k for k in known if k])
        whose = f", which {flag} names" if flag else ""
        raise arguments.UsageError(f"there is no function '@{name}' in the program{whose}{hint}")


def check_covered(limited: Iterable[str], functions: Sequence[str]) -> None:
    """Reject budgets for functions (`limited`) that `--function` excludes.

    Raises:
        UsageError: there is such a budget.
    """
    names = {name.removeprefix("@") for name in functions}
    for name in limited:
        if name not in names:
            raise arguments.UsageError(f"--budget limits '@{name}', which --function excludes")


def over_budget(explanation: Explanation, budgets: Budgets) -> Iterator[Diagnostic]:
    """An error for each function over its budget, and for a program that cannot be checked."""
    from ..explain.kinds.remarks import OverBudget

    if not budgets.any:
        return
    if not explanation.is_bufferized:
        first = next(iter(explanation.errors), None) or next(
            (d for d in explanation.remarks if d.severity == "error"), None
        )
        span = first.primary_span if first is not None else None
        yield error("the program cannot be bufferized, so it fails every budget", span, OverBudget.id)
        return
    for name, copies in explanation.copies_by_function(budgets.only_added).items():
        allowed = budgets.allowed(name)
        if allowed is not None and len(copies) > allowed:
            yield _too_many(name, copies, allowed)


def _too_many(name: str, copies: list[MemoryRecord], allowed: int) -> Diagnostic:
    from ..explain.kinds.remarks import OverBudget

    where = f"@{name}" if name else "the program"
    clones = sum(copy.kind == "clone" for copy in copies)
    noun = "copy" if len(copies) == 1 else "copies"
    span = copies[0].function_place
    which = f" ({clones} of them by deallocation)" if clones else ""
    found = error(f"{where} makes {len(copies)} {noun}{which}, {allowed} allowed", span, OverBudget.id)
    for copy in copies[:MOST_PLACES]:
        place = copy.place
        if place is not None and span is not None and place.source is span.source:
            found.label(place, f"copied here{', ' + str(copy.times) if not copy.times.is_once else ''}")
    if len(copies) > MOST_PLACES:
        found.note(f"and {len(copies) - MOST_PLACES} more")
    return found


# Accepted findings: those that a project tolerates, so that only new ones fail.
#
# A finding is accepted if the settings ignore its id, with a reason, or if it is in the baseline, a file of findings
# written by `--write-baseline`. A baseline identifies findings by file, id and message, not by place, so that
# lines may move. If a finding occurs more often than in the baseline, the excess is new. Accepted findings are counted
# but not shown, and do not make a command fail.

VERSION = 1
Key = tuple[str, str, str]
T = TypeVar("T")


def add_flags(parser: arguments.Parser) -> None:
    parser.flags("""
        --baseline FILE   accept the findings listed in FILE; only new ones are shown and cause failure
        --write-baseline  write the current findings to the file of --baseline
    """)


class Accepted:
    """Decides for each finding whether it is accepted.

    Attributes:
        ignored: the number accepted by id.
        known: the number accepted by the baseline.
    """

    def __init__(self, flags: argparse.Namespace) -> None:
        """Raises InputError if the baseline cannot be read, UsageError if it is to be written without a name."""
        settings = getattr(flags, "settings", None)
        self.reasons: dict[str, str] = {} if settings is None else settings.ignore
        self.path: str | None = flags.baseline
        self.writes: bool = flags.write_baseline
        if self.writes and self.path is None:
            raise arguments.UsageError("--write-baseline needs --baseline FILE")
        self.has_baseline = self.path is not None and not self.writes
        self.left = _read(self.path) if self.path is not None and self.has_baseline else Counter[Key]()
        self.seen: list[Key] = []
        self.ignored: Counter[str] = Counter()
        self.known = 0

    def sift(self, items: Iterable[T], said: Callable[[T], Diagnostic]) -> tuple[list[T], list[T]]:
        """The items that are not accepted, and those that are; `said` returns an item's diagnostic."""
        shown: list[T] = []
        accepted: list[T] = []
        for item in items:
            (accepted if self._accepts(said(item)) else shown).append(item)
        return shown, accepted

    def sift_explanation(self, explanation: Explanation) -> None:
        """Move accepted findings to `accepted`, and drop accepted remarks."""
        if not self.reasons and self.path is None:
            return
        explanation.findings, accepted = self.sift(explanation.findings, lambda finding: finding.diagnostic)
        explanation.accepted += accepted
        explanation.remarks, _ = self.sift(explanation.remarks, lambda diagnostic: diagnostic)

    def _accepts(self, diagnostic: Diagnostic) -> bool:
        if diagnostic.code in self.reasons:
            self.ignored[diagnostic.code] += 1
            return True
        key = self._key(diagnostic)
        self.seen.append(key)
        if self.left[key] > 0:
            self.left[key] -= 1
            self.known += 1
            return True
        return self.writes

    def _key(self, diagnostic: Diagnostic) -> Key:
        span = diagnostic.primary_span
        name = "" if span is None else span.source.name
        if self.path is not None and name and not name.startswith("<"):
            name = _relative(name, Path(self.path))
        return name, diagnostic.code or "", diagnostic.message

    def finish(self) -> None:
        """Write the baseline if requested, and report accepted findings on standard error."""
        if self.writes and self.path is not None:
            entries = [
                {"file": file, "id": code, "says": message, "times": times}
                for (file, code, message), times in sorted(Counter(self.seen).items())
            ]
            lines = ",\n".join(f"  {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
            body = f"[\n{lines}\n ]" if entries else "[]"
            output.write_file(self.path, f'{{"version": {VERSION},\n "findings": {body}\n}}\n')
            _say(f"{_count(len(self.seen))} written to '{self.path}'")
        for code, times in sorted(self.ignored.items()):
            _say(f"{_count(times)} with the id '{code}' not shown: {self.reasons[code]}")
        if self.known:
            _say(f"{_count(self.known)} in '{self.path}' not shown")
        gone = sum(self.left.values())
        if gone:
            _say(f"{_count(gone)} of '{self.path}' did not occur; --write-baseline brings it up to date")


def _say(text: str) -> None:
    from ..viz.render_style import clean

    sys.stderr.write(f"bufferize: note: {clean(text)}\n")


def _count(number: int) -> str:
    return f"{number} finding" if number == 1 else f"{number} findings"


def _relative(name: str, baseline: Path) -> str:
    """The file's path relative to the baseline, independent of the current directory."""
    try:
        return Path(os.path.relpath(name, baseline.parent)).as_posix()
    except ValueError:  # on another drive
        return name


def _read(path: str) -> Counter[Key]:
    def refuse(why: str) -> InputError:
        return InputError(error(f"'{path}' is not a baseline: {why}", code="malformed-baseline"))

    try:
        data: Any = json.loads(Path(path).read_bytes())
    except FileNotFoundError:
        raise InputError(
            error(f"there is no baseline '{path}'", code="unreadable-input").help(
                "--write-baseline writes it with the current findings"
            )
        ) from None
    except OSError as failure:
        raise InputError(
            error(f"cannot open '{path}': {failure.strerror}", code="unreadable-input")
        ) from None
    except (ValueError, RecursionError) as failure:
        raise refuse(str(failure)) from None
    if (
        not isinstance(data, dict)
        or data.get("version") != VERSION
        or not isinstance(data.get("findings"), list)
    ):
        raise refuse(f"it has no findings of version {VERSION}")
    found: Counter[Key] = Counter()
    for entry in data["findings"]:
        try:
            key = (entry["file"], entry["id"], entry["says"])
            times = entry["times"]
        except (KeyError, TypeError):
            raise refuse(f"{entry!r} is not a finding") from None
        if not all(isinstance(part, str) for part in key) or not isinstance(times, int):
            raise refuse(f"{entry!r} is not a finding")
        found[key] += times
    return found
