"""What a finding rests on: facts that are told as a program is looked at, and rules that say what follows.

    grounds = FactBase("lifetimes")                  the rules of `rules/lifetimes.dl`
    grounds.tell("allocated", value)                a fact
    for (value,) in grounds.found("never_freed"):   what the rules derive: the findings
        grounds.derivation("never_freed", value)    their proof, written when somebody asks for it

What is told is what the program says, or what an analysis has solved for; where something follows from
such facts, a rule alone says so; what is decided by whoever acts is `stated` as it is.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable
from functools import cache, cached_property
from typing import TYPE_CHECKING

from ..ir.program.core import Block, Operation, OpOperand, Value
from .datalog.database import Database
from .datalog.program import Program, load_program
from .naming import value_name

if TYPE_CHECKING:
    from .datalog.proof import Proof


RULES: str | os.PathLike[str] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules")
"""The folder of the rules of this package."""

Derivation = Callable[[], str]
Row = tuple[object, ...]


@cache
def rules_of(file: str) -> Program:
    """The rules of `rules/FILE.dl`, checked. Parsed on first use.

    Raises:
        OSError: there is no such file.
    """
    return load_program(os.path.join(RULES, f"{file}.dl"))


class FactBase:
    """Facts of one program, and the rules of one file."""

    def __init__(self, file: str) -> None:
        self._file = file

    @cached_property
    def _database(self) -> Database:
        return Database(rules_of(self._file))

    @property
    def has_facts(self) -> bool:
        """Whether anything was told."""
        return "_database" in self.__dict__

    def tell(self, name: str, *row: object) -> None:
        """Add a fact."""
        self._database.assert_fact(name, *row)

    def found(self, name: str) -> list[Row]:
        """All rows of a relation that follow, in the order of the facts. Semi-naive, each fact is looked at once."""
        return self._database.query(name)

    def holds(self, name: str, *row: object) -> bool:
        """Whether a row follows; None stands for anything."""
        return self._database.holds(name, row)

    def proof(self, name: str, *row: object) -> Proof:
        """Why a row follows.

        Raises:
            DatalogError: it does not.
        """
        return self._database.explain(name, row)

    def derivation(self, name: str, *row: object) -> Derivation:
        """The proof as text, made when it is asked for."""
        return lambda: self.proof(name, *row).render(shown)


def stated(*rows: Row) -> Derivation:
    """What no rule decides, but who acts: the facts, each its relation and arguments, written when somebody asks."""
    return lambda: "\n".join(
        f"{name}({', '.join(shown(item) for item in arguments)})   fact" for name, *arguments in rows
    )


def shown(item: object) -> str:
    """A value, operand, operation or block as proofs write it."""
    if isinstance(item, OpOperand):
        return f"{_operation(item.owner)}[{item.index}]"
    if isinstance(item, Value):
        return value_name(item)
    if isinstance(item, Operation):
        return _operation(item)
    if isinstance(item, Block):
        return f"^{item.name_hint or 'entry'}"
    return str(item)


def _operation(op: Operation) -> str:
    span = op.name_span
    return f"{op.name}:{span.line}" if span is not None else op.name
