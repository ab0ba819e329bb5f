"""What is accepted: findings that a project has decided to live with, so that only what is new fails.

Two things accept a finding. Its id may be ignored in the settings, with a reason. Or it stands in a baseline, a file of the findings
of some day, written by `--write-baseline`: each is known by its file, its id and what is said of it, without its place, so that
lines may move. A finding that occurs once more than the baseline says is new. What is accepted is counted but not shown, and does
not make a command fail.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..ir.source.diagnostics import InputError, error
from . import arguments, output

if TYPE_CHECKING:
    from ..explain.explanation import Explanation
    from ..ir.source.diagnostics import Diagnostic

VERSION = 1
Key = tuple[str, str, str]
T = TypeVar("T")


def add_flags(parser: arguments.Parser) -> None:
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        help="accept the findings that FILE lists: only new ones are shown and fail",
    )
    parser.add_argument(
        "--write-baseline", action="store_true", help="write the findings of now to the file of --baseline"
    )


class Accepted:
    """Decides of one finding after the other whether it is accepted.

    Attributes:
        ignored: how many were accepted by their id.
        known: how many were accepted because the baseline has them.
    """

    def __init__(self, flags: argparse.Namespace) -> None:
        """Raises InputError if the baseline cannot be read, UsageError if it is to be written and has no name."""
        settings = getattr(flags, "settings", None)
        self.reasons: dict[str, str] = {} if settings is None else settings.ignore
        self.path: str | None = flags.baseline
        self.writes: bool = flags.write_baseline
        if self.writes and self.path is None:
            raise arguments.UsageError("--write-baseline needs to know where to: --baseline FILE")
        self.has_baseline = self.path is not None and not self.writes
        self.left = _read(self.path) if self.path is not None and self.has_baseline else Counter[Key]()
        self.seen: list[Key] = []
        self.ignored: Counter[str] = Counter()
        self.known = 0

    def sift(self, items: Iterable[T], said: Callable[[T], Diagnostic]) -> tuple[list[T], list[T]]:
        """Those that are not accepted, and those that are; `said` is what is said of each."""
        shown: list[T] = []
        accepted: list[T] = []
        for item in items:
            (accepted if self._accepts(said(item)) else shown).append(item)
        return shown, accepted

    def sift_explanation(self, explanation: Explanation) -> None:
        """Move the findings that are accepted to `accepted`, and drop such remarks."""
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
        """Write the baseline if that was asked for, and say on standard error what was accepted."""
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
    """The file as seen from the baseline, so that it does not matter where a command is typed."""
    try:
        return Path(os.path.relpath(name, baseline.parent)).as_posix()
    except ValueError:  # on another drive
        return name


def _read(path: str) -> Counter[Key]:
    def refuse(why: str) -> InputError:
        return InputError(error(f"'{path}' is no baseline: {why}", code="malformed-baseline"))

    try:
        data: Any = json.loads(Path(path).read_bytes())
    except FileNotFoundError:
        raise InputError(
            error(f"there is no baseline '{path}'", code="unreadable-input").help(
                "--write-baseline writes it, with the findings of now"
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
            raise refuse(f"{entry!r} is no finding") from None
        if not all(isinstance(part, str) for part in key) or not isinstance(times, int):
            raise refuse(f"{entry!r} is no finding")
        found[key] += times
    return found
