"""Mutants and random samples of them: one operator, comparison, boolean or number of a file replaced.

Excluded are changes that no test should notice: annotations, assertions (including `strict=True`), texts, `__repr__`,
sizes of caches, module constants in capitals and whether a comparison with `MAX_...` includes it (limits are chosen,
not derived).
"""

from __future__ import annotations

import ast
import io
import json
import random
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SWAPS = {
    "==": "!=",
    "!=": "==",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "and": "or",
    "or": "and",
    "True": "False",
    "False": "True",
    "+": "-",
    "-": "+",
    "*": "+",
    "+=": "-=",
    "-=": "+=",
    "break": "continue",
    "continue": "break",
    "not": "",
    "is": "is not",
    "in": "not in",
}


@dataclass(frozen=True)
class Mutant:
    """One replaced token. Lines count from 1, columns from 0."""

    file: str
    line: int
    column: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}: '{self.old}' -> '{self.new or 'nothing'}'"

    def apply(self, text: str) -> str:
        """The text of the file, changed."""
        lines = text.splitlines(keepends=True)
        line = lines[self.line - 1]
        rest = line[self.column + len(self.old) :]
        lines[self.line - 1] = line[: self.column] + self.new + rest
        return "".join(lines)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of one file; some are not valid Python."""
    text = path.read_text("utf-8")
    file = path.relative_to(ROOT).as_posix()
    left_alone = _left_alone(ast.parse(text))
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        line, column = token.start
        if any(start <= (line, column) < end for start, end in left_alone):
            continue
        new = SWAPS.get(token.string)
        if token.type == tokenize.NUMBER and token.string.isdigit():
            new = str(int(token.string) + 1)
        if new is None or (token.string == "*" and (before.string in "(,[" or after.string == ",")):
            continue
        if token.string == "not" and (after.string == "in" or before.string == "is"):
            continue
        if token.string in ("is", "in") and (
            after.string == "not" or before.string == "not" or _is_loop(before)
        ):
            continue
        yield Mutant(file, line, column, token.string, new)


def is_python(mutant: Mutant) -> bool:
    """Whether the changed file still parses."""
    try:
        ast.parse(mutant.apply((ROOT / mutant.file).read_text("utf-8")))
    except SyntaxError:
        return False
    return True


def _is_loop(before: tokenize.TokenInfo) -> bool:
    """Whether the `in` after this token belongs to a loop, as far as the line shows."""
    return " for " in f" {before.line[: before.end[1]]}"


def _is_limit(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id.startswith("MAX_")


Range = tuple[tuple[int, int], tuple[int, int]]


def _left_alone(tree: ast.Module) -> list[Range]:
    found: list[Range] = []

    def skip(node: ast.AST | None) -> None:
        if isinstance(node, (ast.expr, ast.stmt)):
            found.append(((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)))

    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            skip(node.returns)
            if node.name == "__repr__":
                skip(node)
        elif isinstance(node, ast.Compare) and any(map(_is_limit, (node.left, *node.comparators))):
            end = node.comparators[0]
            found.append(
                ((node.left.end_lineno or 0, node.left.end_col_offset or 0), (end.lineno, end.col_offset))
            )
        elif isinstance(node, (ast.arg, ast.AnnAssign)):
            skip(node.annotation)
        elif (
            isinstance(node, (ast.Assert, ast.Import, ast.ImportFrom, ast.JoinedStr))
            or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
            or (isinstance(node, ast.Call) and re.search(r"dataclass|record$|cache$", ast.unparse(node.func)))
        ):
            skip(node)
        elif isinstance(node, ast.keyword) and node.arg == "strict":
            skip(node.value)
    for statement in tree.body:
        targets = (
            statement.targets
            if isinstance(statement, ast.Assign)
            else [statement.target]
            if isinstance(statement, ast.AnnAssign)
            else ()
        )
        if targets and all(isinstance(target, ast.Name) and target.id.isupper() for target in targets):
            skip(statement)
    return found


def sample(packages: list[str], count: int, seed: int) -> list[Mutant]:
    """`count` mutants of the files below `packages`; the first of them are a sample, too."""
    paths = [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]
    every = [mutant for path in paths for mutant in mutants_of(path)]
    random.Random(seed).shuffle(every)
    return list(islice(filter(is_python, every), count))


def survivors(record: Path) -> list[Mutant]:
    """The mutants that survived their last trial."""
    outcomes: dict[Mutant, bool] = {}
    for line in record.read_text("utf-8").splitlines():
        outcome = json.loads(line)
        mutant = Mutant(*(outcome[field.name] for field in fields(Mutant)))
        outcomes[mutant] = outcome["noticed"]
    return [mutant for mutant, noticed in outcomes.items() if not noticed]
