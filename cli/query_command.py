"""`bufferize query`: user-defined Datalog rules over the facts of a program."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import arguments, output
from .crash import NOT_DONE
from .output import say

if TYPE_CHECKING:
    from ..analysis.dataflow.facts import UserRules
    from ..analysis.datalog.database import Database
    from ..ir.source.locations import Span
    from ..ir.source.records import Plain
    from .programs import SourceProgram
    from .settings import ProgramFlags

SUMMARY = "Evaluate your own Datalog rules over facts about programs: operations, control flow, memory and the results of analyses. docs/query.md has examples; --relations lists the available relations."
EXAMPLES = (
    ("bufferize query cell.mlir unused.dl", "what do the rules derive for this program?"),
    ("bufferize query programs/ unused.dl --forbid unused", "fail if anything is derived"),
    ("bufferize query cell.mlir unused.dl --proof", "and why"),
    ("bufferize query cell.mlir unused.dl --format json", "output for other programs"),
    ("bufferize query --relations", "the relations that rules can read"),
)
MOST_SHOWN = 200
"""Rows of a relation shown as text; the rest is counted. `--limit` sets another number."""


def configure(parser: arguments.Parser) -> None:
    arguments.add_inputs(parser)
    for action in parser._actions:
        if action.dest == "files":
            action.nargs = "*"
            action.help = "programs and folders, as for other commands, and one file of rules, *.dl"
    parser.flags(f"""
        --relations       list the relations that rules can read, with their meaning
        --show NAME...    show this relation; can be repeated (default: those that no other rule in the file
                          reads)
        --proof           show why each row holds
        --forbid NAME...  exit with 1 if this relation has a row; can be repeated
        --limit N={MOST_SHOWN}      show at most N rows of each relation as text; 0 shows all (default: {MOST_SHOWN})
    """)
    arguments.add_choice(parser, "--format", ("text", "json"), "text", "for people, or for programs")
    arguments.add_output(parser, "write to FILE instead of standard output")
    arguments.add_color(parser)


def run(flags: argparse.Namespace) -> int:
    from .programs import read_all
    from .settings import NearFlags

    if flags.relations:
        output.write(relations_as_json() if flags.format == "json" else relations_as_text(), flags.output)
        return 0
    rules = read_rules(flags)
    flags.files = [path for path in flags.files if not path.endswith(".dl")]
    if not flags.files:
        raise arguments.UsageError(
            "which program? Name one beside the rules, as in: bufferize query cell.mlir rules.dl"
        )
    names = wanted(rules, [*flags.show, *(name for name in flags.forbid if name not in flags.show)], flags)
    near = NearFlags(flags)
    read = read_all(flags, near=near)
    if not read.show_failures(flags.color):
        return NOT_DONE
    say("asking")
    answers = [
        QueryAnswers(program, rules, names, flags.proof, near.of(program.name)) for program in read.programs
    ]
    if flags.format == "json":
        text = json.dumps({"programs": [found.to_plain() for found in answers]}, indent=2) + "\n"
    else:
        text = "\n".join(found.to_text(len(answers) > 1, flags.limit) for found in answers)
    output.write(text, flags.output)
    if read.failures:
        return NOT_DONE
    return int(any(found.rows[name] for found in answers for name in flags.forbid))


def read_rules(flags: argparse.Namespace) -> UserRules:
    """The rules of the one rule file among the arguments.

    Raises:
        UsageError: there is none, or several.
        BufferizeError: it cannot be read, or is invalid.
    """
    from ..analysis.dataflow.facts import UserRules
    from ..ir.source.reading import read_source

    files = [path for path in flags.files if path.endswith(".dl")]
    if len(files) != 1:
        what = "there are several files of rules" if files else "which rules? Name a file that ends in .dl"
        raise arguments.UsageError(f"{what}; 'bufferize query --relations' lists what rules may read")
    source = read_source(files[0])
    return UserRules(source.name, source.text)


def wanted(rules: UserRules, asked: Sequence[str], flags: argparse.Namespace) -> list[str]:
    """The relations to show.

    Raises:
        InputError: there is no such relation, or none at all.
    """
    from ..ir.source.diagnostics import InputError, error

    known = [name for name in rules.program.declarations if "." not in name and rules.program.stored(name)]
    for name in asked:
        if name not in known:
            hint = arguments.did_you_mean(name, known)
            raise InputError(error(f"'{rules.source.name}' has no relation '{name}' that can be shown{hint}"))
    if flags.show:
        return list(dict.fromkeys(asked))
    shown = list(dict.fromkeys([*(name for name in rules.shown if name in known), *asked]))
    if not shown:
        raise InputError(
            error(f"'{rules.source.name}' has no rules that derive anything to show; name facts with --show")
        )
    return shown


class QueryAnswers:
    """The tuples that rules derive for one program.

    Attributes:
        rows: of each relation that is shown.
    """

    def __init__(
        self, program: SourceProgram, rules: UserRules, names: list[str], proof: bool, described: ProgramFlags
    ) -> None:
        """Raises BufferizeError if the evaluation of a rule fails, for instance in arithmetic."""
        from ..analysis.datalog.syntax import DatalogError

        self.program = program
        self.rules = rules
        self.proof = proof
        self.database: Database = rules.over(program.module, names, models=described.registry)
        try:
            self.rows = {name: self.database.query(name) for name in names}
        except DatalogError as failure:
            raise rules.refusal(failure) from None

    def to_text(self, titled: bool, limit: int) -> str:
        """Each relation as a table; source positions first."""
        from ..analysis.causes import shown

        lines = [self.program.name, "=" * len(self.program.name)] if titled else []
        for name, rows in self.rows.items():
            parameters = [p.name for p in self.rules.program.declarations[name].parameters]
            lines.append(
                f"{name}({', '.join(parameters)}): {len(rows)} {'row' if len(rows) == 1 else 'rows'}"
            )
            listed = rows[:limit] if limit > 0 else rows
            cells = [[place_of(row), *map(shown, row)] for row in listed]
            widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
            for row, cell in zip(listed, cells, strict=True):
                texts = [f"{text:<{width}}" for text, width in zip(cell, widths, strict=True) if width]
                lines.append(f"  {'  '.join(texts)}".rstrip())
                if self.proof:
                    proof = self.database.explain(name, row).render(shown)
                    lines += [f"      {line}" for line in proof.split("\n")]
            if len(listed) < len(rows):
                lines.append(f"  and {len(rows) - len(listed)} more; --limit 0 shows all")
        return "\n".join(lines) + "\n"

    def to_plain(self) -> Plain:
        """The same as plain data."""
        from ..analysis.causes import shown

        relations: Plain = {}
        for name, rows in self.rows.items():
            found: list[Plain] = []
            for row in rows:
                made: Plain = {"values": [cell(value) for value in row]}
                if self.proof:
                    made["proof"] = self.database.explain(name, row).render(shown).split("\n")
                found.append(made)
            parameters = [p.name for p in self.rules.program.declarations[name].parameters]
            relations[name] = {"columns": parameters, "rows": found}
        return {"program": self.program.name, "relations": relations}


def cell(value: object) -> object:
    """A value of a row as JSON: a number or text, or the name and position of an object of the program."""
    from ..analysis.causes import shown

    if isinstance(value, (int, str)):
        return value
    span = span_of(value)
    return {"text": shown(value), **({"line": span.line, "column": span.column} if span is not None else {})}


def place_of(row: Sequence[object]) -> str:
    """The position of the first value in a row that has one."""
    spans = [span for span in map(span_of, row) if span is not None]
    return f"{spans[0].source.name}:{spans[0].line}:{spans[0].column}" if spans else ""


def span_of(value: object) -> Span | None:
    """The source span of an operation or value; None for numbers, texts and blocks."""
    from ..analysis.naming import value_span
    from ..ir.program.core import Operation, Value

    if isinstance(value, Operation):
        return value.name_span
    return value_span(value) if isinstance(value, Value) else None


def relations_as_text() -> str:
    """The relations that rules may use, with their descriptions."""
    from ..analysis.dataflow.facts import known_relations

    lines: list[str] = []
    for relation in known_relations():
        lines += [str(relation), f"    {relation.meaning}"]
    return "\n".join(lines) + "\n"


def relations_as_json() -> str:
    from ..analysis.dataflow.facts import known_relations

    found = [
        {
            "name": relation.declaration.name,
            "columns": [{"name": p.name, "sort": p.sort} for p in relation.declaration.parameters],
            "meaning": relation.meaning,
        }
        for relation in known_relations()
    ]
    return json.dumps({"relations": found}, indent=2) + "\n"
