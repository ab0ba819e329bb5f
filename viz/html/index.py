"""One page that lists the reports of several programs, those that copy most first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from ...analysis.sizes import in_bytes
from ...explain.explanation import Explanation
from ...transforms.account.report import MemoryReport, total
from . import markup
from .page import document


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One file.

    Attributes:
        path: the file.
        page: the name of its report beside this page; "" if there is none.
        cost: bytes copied in all runs; unknown sizes are taken to be alike.
        cells: copies, bytes copied, allocations, bytes allocated.
        problem: why there is no report, or why the program cannot be bufferized.
    """

    path: str
    page: str
    cost: int = 0
    cells: tuple[str, ...] = ()
    problem: str = ""

    @classmethod
    def of(cls, path: str, page: str, explanations: Sequence[Explanation]) -> IndexEntry:
        """The entry for the programs of one file."""
        account = MemoryReport([movement for e in explanations for movement in e.account])
        copies, fresh = account.copies, account.allocations
        errors = [error for e in explanations for error in e.errors]
        cells = (
            f"{len(copies):,}",
            in_bytes(total(copies)),
            f"{len(fresh):,}",
            in_bytes(total(fresh)),
        )
        cost = sum(copy.traffic.estimate() for copy in copies)
        return cls(path, page, cost, cells, errors[0].message if errors else "")


def build_index(entries: Sequence[IndexEntry]) -> str:
    """The page as HTML. O(entries log entries)."""
    heads = ("program", "copies", "bytes copied", "allocations", "bytes allocated", "")
    rows = [markup.tag("tr", "".join(markup.tag("th", markup.text(head)) for head in heads))]
    for entry in sorted(entries, key=lambda entry: -entry.cost):
        name = markup.text(entry.path)
        link = markup.tag("a", name, href=quote(entry.page)) if entry.page else name
        cells = [link, *map(markup.text, entry.cells or ("", "", "", "")), markup.text(entry.problem)]
        rows.append(markup.tag("tr", "".join(markup.tag("td", cell) for cell in cells)))
    title = f"{markup.counted(len(entries), 'program')}"
    table = markup.tag("div", markup.tag("table", "".join(rows)), _class="tables")
    body = f"<header>{markup.tag('h1', title)}</header><main>{markup.tag('section', table)}</main>"
    return document(title, body)
