"""The rules of `rules/views.dl` over the memrefs of a program: for proofs, and to hold `Origins` against them.

Storing `origin` for all pairs is quadratic where memrefs have many origins; ask about single ones, by `solve`, `prove` and
`why_not`, where programs are large.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..ir.program.core import BlockArgument, Operation
from ..ir.program.interfaces import FunctionOp
from .datalog import Database, Program, load_program
from .origins import is_allocation
from .view_flow import ViewFlow, strip_views

RULES = Path(__file__).resolve().parent / "rules"


@cache
def view_program() -> Program:
    """The rules, checked. Parsed on first use."""
    return load_program(RULES / "views.dl")


def view_database(root: Operation, flow: ViewFlow | None = None) -> Database:
    """The facts of the memrefs inside `root` under the rules of views. O(edges)."""
    flow = flow or ViewFlow(root)
    database = Database(view_program())
    for source, targets in flow.targets.items():
        for target in targets:
            database.assert_fact("flows", source, target)
    for terminal in flow.terminals:
        database.assert_fact("comes_into_being", terminal)
        if is_allocation(terminal):
            database.assert_fact("allocated", terminal)
        elif (
            isinstance(terminal, BlockArgument)
            and terminal.owner.is_entry
            and isinstance(terminal.owner.parent_op, FunctionOp)
        ):
            database.assert_fact("handed_in", terminal)
    for value in dict.fromkeys([*flow.terminals, *flow.targets, *flow.sources]):
        database.assert_fact("view_of", value, strip_views(value))
    return database
