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

from typing import TYPE_CHECKING

from ...ir import on_demand

if TYPE_CHECKING:
    from .database import Database as Database, Transaction as Transaction
    from .evaluation import Goal as Goal
    from .program import Program as Program, load_program as load_program, parse_program as parse_program
    from .provenance import MissedRule as MissedRule, Proof as Proof, Why as Why
    from .syntax import (
        DatalogError as DatalogError,
        Declaration as Declaration,
        Position as Position,
        RelationKind as RelationKind,
        Row as Row,
        Rule as Rule,
    )
    from .union_find import (
        ClassData as ClassData,
        EquivalenceRelation as EquivalenceRelation,
        UnionReason as UnionReason,
    )

_MODULES = {
    "database": "Database Transaction",
    "evaluation": "Goal",
    "program": "Program load_program parse_program",
    "provenance": "MissedRule Proof Why",
    "syntax": "DatalogError Declaration Position RelationKind Row Rule",
    "union_find": "ClassData EquivalenceRelation UnionReason",
}
__getattr__ = on_demand(__name__, _MODULES)
