"""Datalog with equivalence relations, incremental evaluation, goal-directed queries, and proofs.

    program = parse_program('''
        .input edge(from: node, to: node)
        .decl reaches(from: node, to: node)
        // R1: an edge reaches.
        reaches(x, y) :- edge(x, y).
        // R2: and so do two in a row.
        reaches(x, z) :- reaches(x, y), edge(y, z).
    ''')
    database = Database(program)
    database.assert_fact("edge", "a", "b", label="graph.txt:1")
    database.assert_fact("edge", "b", "c", label="graph.txt:2")
    print(database.explain("reaches", ("a", "c")).render())

The notation is Souffle's: `.decl` declares a derived relation, `.input` one whose facts come from outside,
`.equivalence` a union-find, `.extern` a Python function (with `modes bf, ...` if it enumerates, see
`Database`). Read next: `program` for the conditions on rules, `database` for queries, `evaluation` for bottom-up and
goal-directed evaluation, `provenance` for proofs. Modules are imported on first use, for start-up time.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .database import Database, Transaction
    from .evaluation import Goal
    from .program import Program, load_program, parse_program
    from .provenance import MissedRule, Proof, Why
    from .syntax import DatalogError, Declaration, Position, RelationKind, Row, Rule
    from .union_find import ClassData, EquivalenceRelation, UnionReason

_MODULES = {
    "ClassData": "union_find",
    "Database": "database",
    "DatalogError": "syntax",
    "Declaration": "syntax",
    "EquivalenceRelation": "union_find",
    "Goal": "evaluation",
    "MissedRule": "provenance",
    "Position": "syntax",
    "Program": "program",
    "Proof": "provenance",
    "RelationKind": "syntax",
    "Row": "syntax",
    "Rule": "syntax",
    "Transaction": "database",
    "UnionReason": "union_find",
    "Why": "provenance",
    "load_program": "program",
    "parse_program": "program",
}

__all__ = [
    "ClassData",
    "Database",
    "DatalogError",
    "Declaration",
    "EquivalenceRelation",
    "Goal",
    "MissedRule",
    "Position",
    "Program",
    "Proof",
    "RelationKind",
    "Row",
    "Rule",
    "Transaction",
    "UnionReason",
    "Why",
    "load_program",
    "parse_program",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
