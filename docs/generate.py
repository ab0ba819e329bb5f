"""Writes the parts of the handbook that follow from the code, so that they cannot drift from it.

    python docs/generate.py            write everything anew
    python docs/generate.py --check    say what is out of date, and exit with 1 if anything is
    python docs/generate.py --no-pictures, --no-commands    leave those out
    python docs/generate.py --recorded FOLDER    measure the tables about recorded programs again (minutes)

* `commands.md` from the flags that the commands declare
* `passes.md` from the passes and their options
* `findings.md` from the meanings of diagnostic codes and the examples that show them
* `limits.md` from the constants that are limits, and their docstrings
* `reports.md` from the programs in `programs/defects` (see `reports.py`)
* `rules.md`: the list of rules in it, from `analysis/rules`
* `pictures/*.svg` from the commands in `pictures.txt`; needs Graphviz
* `benchmarks.md`: the figures in it and its picture, from `measured.json`, which `bufferize bench --everything` writes
* tables between `<!-- recorded: NAME -->` and `<!-- end -->`, from the recorded programs in FOLDER (see CONTRIBUTING.md)
* what commands print, in all pages (see `runnable.py`)

The pictures depend on the version of Graphviz, so only their existence is checked.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.util
import inspect
import io
import json
import re
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

HANDBOOK = Path(__file__).resolve().parent
ROOT = HANDBOOK.parent
NOTICE = "<!-- Written by docs/generate.py: change that, or the code it reads. -->\n"


def load(name: str) -> ModuleType:
    """A module beside this file, which is in no package."""
    known = sys.modules.get(f"handbook_{name}")
    if known is not None:
        return known
    spec = importlib.util.spec_from_file_location(f"handbook_{name}", HANDBOOK / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[f"handbook_{name}"] = module
    spec.loader.exec_module(module)
    return module


# -- commands


def commands_page() -> str:
    from bufferize.cli.commands import COMMANDS

    parts = [
        "# Commands and their flags\n",
        NOTICE,
        "This page lists every command with its flags; `bufferize COMMAND --help` prints the same. Long flags can be written with one dash, and with `=` or a "
        "space before their value. The exit code is 0 for success, 1 if a check failed (findings, differences, a budget), and 2 if the command line or "
        "the input is wrong or nothing could be checked. Errors go to standard error, with their location.\n",
        "| command | purpose |\n|---|---|",
    ]
    parts += [
        f"| [`bufferize {c.name}`](#bufferize-{c.name}) | {_cell(c.summary)} |" for c in COMMANDS.values()
    ]
    parts.append("")
    shared = _shared_flags([command for command in COMMANDS.values() if not command.forwards])
    parts.append(f"## {SHARED}\n\n| flag | |\n|---|---|")
    parts += [f"| {flag} | {help} |" for flag, help in shared]
    parts.append("")
    for command in COMMANDS.values():
        parts.append(f"## bufferize {command.name}\n")
        if command.name == "opt":
            parts.append(_opt_section())
        elif command.forwards:
            parts.append(_help_section(command))
        else:
            parts.append(_command_section(command, shared))
    return "\n".join(parts).rstrip("\n") + "\n"


SHARED = "Flags of several commands"
"""The heading of the flags that are the same in at least `FEW` commands."""
FEW = 4


def _shared_flags(commands: list[Any]) -> list[tuple[str, str]]:
    """Flags with their help, in the order of their first command."""
    rows = Counter(row for command in commands for _, group in _flag_groups(command) for row in group)
    return [row for row, count in rows.items() if count >= FEW]


def _flag_groups(command: Any) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The groups of flags of a command: the title, and each flag with its help."""
    from bufferize.cli.arguments import Parser

    module = command.load()
    parser = Parser(command.name, module.SUMMARY, module.EXAMPLES)
    module.configure(parser)
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.help is not argparse.SUPPRESS]
        yield group.title or "", [(_flag(action), _cell(_help(action))) for action in actions]


def _command_section(command: Any, shared: list[tuple[str, str]]) -> str:
    module = command.load()
    parts = [_paragraphs(module.SUMMARY), ""]
    elsewhere: list[str] = []
    for title, flags in _flag_groups(command):
        elsewhere += [
            flag.split("`")[1].split()[0]
            for flag, help in flags
            if (flag, help) in shared and "--help" not in flag
        ]
        here = [row for row in flags if row not in shared]
        if here:
            parts.append(f"| {title} | |\n|---|---|")
            parts += [f"| {flag} | {help} |" for flag, help in here]
            parts.append("")
    if elsewhere:
        link = SHARED.lower().replace(" ", "-")
        parts += [f"[{SHARED}](#{link}): {', '.join(f'`{flag}`' for flag in elsewhere)}.", ""]
    if module.EXAMPLES:
        parts += ["```sh"] + [f"{line}   # {meaning}" for line, meaning in module.EXAMPLES] + ["```", ""]
    return "\n".join(parts)


def _help_section(command: Any) -> str:
    """The help of a command that reads its arguments itself."""
    return "```text\n" + load("runnable").run(f"bufferize {command.name} --help").rstrip() + "\n```\n"


def _paragraphs(text: str) -> str:
    """Indented lines of a help text as a list."""
    return re.sub(r"^  (\S+) +(.*)$", r"* `\1`: \2", text, flags=re.M)


def _flag(action: argparse.Action) -> str:
    value = action.metavar or ("" if action.nargs == 0 else (action.dest or "").upper())
    if action.choices is not None and not action.metavar:
        value = "{" + ",".join(str(choice) for choice in action.choices) + "}"
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    return ", ".join(
        f"`{flag}{' ' + str(value) if value else ''}`" for flag in action.option_strings
    ).replace("|", "\\|")


def _help(action: argparse.Action) -> str:
    return (action.help or "") % {**vars(action), "prog": "bufferize"}


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _opt_section() -> str:
    from bufferize.cli.opt_settings import BOOLEAN_FLAGS, VALUE_FLAGS

    parts = [
        "Run passes on MLIR text, with the flags of `mlir-opt`. `bufferize-opt` is the same command. Each pass is a flag, "
        '`-PASS` or `-PASS="option=value option=value"`, and passes run in the order of their flags; [passes.md](passes.md) '
        "lists them. Without passes, the program is parsed, verified and printed.",
        "",
        "| flags | |\n|---|---|",
    ]
    parts += [f"| `--{name}` | {_cell(help)} |" for name, (_, help) in BOOLEAN_FLAGS.items()]
    for name, (_, value, help) in VALUE_FLAGS.items():
        parts.append(f"| `{'-o ' + value if name == 'o' else f'--{name}={value}'}` | {_cell(help)} |")
    parts += [
        "| `--list-passes` | list the passes with their options |",
        "| `--show-dialects` | list the registered dialects |",
        "| `--help`, `--version` | |",
        "",
    ]
    return "\n".join(parts)


# -- passes


def passes_page() -> str:
    from bufferize.transforms.pass_base import all_passes

    passes = sorted(all_passes(), key=lambda cls: cls.name)
    parts = [
        "# Passes and their options\n",
        NOTICE,
        'This page lists every pass with its options, under the names of `mlir-opt`. Run passes with `bufferize-opt FILE -PASS="option=value"` or in a pipeline, '
        "`--pass-pipeline='builtin.module(PASS{option=value},func.func(PASS))'`. A boolean option is set by its name "
        "alone; the items of a list are separated by commas.\n",
        "| pass | what it does |\n|---|---|",
    ]
    parts += [f"| [`{cls.name}`](#{cls.name}) | {_cell(cls.summary)} |" for cls in passes]
    parts.append("")
    for cls in passes:
        parts.append(f"## {cls.name}\n")
        parts.append(f"{cls.summary[0].upper()}{cls.summary[1:].rstrip('.')}.\n")
        document = _document(cls)
        if document:
            parts.append(document + "\n")
        where = "the operation it is nested under" if cls.on == "any" else f"`{cls.on}`"
        parts.append(f"Runs on {where}.\n")
        options = cls.declared_options()
        if options:
            parts.append("| option | default | |\n|---|---|---|")
            for key, option in options.items():
                choices = f": {', '.join(f'`{c}`' for c in option.choices)}" if option.choices else ""
                default = ",".join(option.default) if option.is_list else str(option.default)
                default = default.lower() if isinstance(option.default, bool) else default
                parts.append(
                    f"| `{key}` | {f'`{default}`' if default else ''} | {_cell(option.help)}{_cell(choices)} |"
                )
            parts.append("")
    return "\n".join(parts).rstrip("\n") + "\n"


def _document(cls: type) -> str:
    """The pass's own documentation; lines that are indented in it are text of a program."""
    document = inspect.cleandoc(cls.__doc__ or "")
    pieces: list[str] = []
    for paragraph in re.split(r"\n\s*\n", document):
        lines = paragraph.split("\n")
        if all(line.startswith(("  ", "=>", " =>")) for line in lines) and paragraph.strip():
            pieces.append("```mlir\n" + inspect.cleandoc("\n" + paragraph) + "\n```")
        else:
            pieces.append(paragraph)
    return "\n\n".join(pieces)


# -- findings


def findings_page() -> str:
    from bufferize.explain.kinds import KINDS as EXPLAIN
    from bufferize.explain.ownership import KINDS as OWNERSHIP
    from bufferize.lint.findings import KINDS as LINT

    commands = (
        ("bufferize explain", EXPLAIN),
        ("bufferize explain --ownership", OWNERSHIP),
        ("bufferize lint", LINT),
    )
    parts = [
        "# What findings mean\n",
        NOTICE,
        "This page explains every finding and what to do about it. The id of a finding is printed in brackets after the severity; it is `code` in "
        "JSON and the rule in SARIF. `bufferize explain ID` prints one entry. The first program of each entry has the finding and "
        "the second does not; both are tests.\n",
    ]
    for command, kinds in commands:
        parts.append(f"| {command} | |\n|---|---|")
        parts += [f"| [`{kind.id}`](#{kind.id}) | {_cell(kind.page().title)} |" for kind in kinds]
        parts.append("")
    for command, kinds in commands:
        parts.append(f"## {command}\n")
        for kind in kinds:
            parts += _finding_section(kind)
    return "\n".join(parts).rstrip("\n") + "\n"


def _finding_section(kind: Any) -> list[str]:
    """The page of one kind of finding."""
    from bufferize.ir.source.pages import TRUST

    page = kind.page()
    rules = f" Derived by {', '.join(f'`{rule}`' for rule in kind.rules)}." if kind.rules else ""
    parts = [
        f"### {page.id}\n",
        f"**{page.title}.** {page.what}{rules}\n",
        f"*Why:* {page.why}\n",
        f"*Fix ({page.advice}: {TRUST[page.advice]}):* {page.fix}\n",
    ]
    for heading, program in (
        ("A program with this finding", page.example),
        ("The same without it", page.instead),
    ):
        flags = "".join(f" {flag}" for flag in (*kind.command[1:], *program.flags))
        parts += [
            f"{heading}{f', with `{flags.strip()}`' if flags else ''}:\n",
            f"```mlir\n{program.shown().rstrip()}\n```\n",
        ]
    return parts


# -- rules

BEGIN, END = "<!-- begin: rules -->\n", "<!-- end: rules -->\n"


def rules_page() -> str:
    """`rules.md` with the list of rules between its markers made anew."""
    page = (HANDBOOK / "rules.md").read_text(encoding="utf-8")
    parts: list[str] = [NOTICE]
    for path in sorted((ROOT / "analysis" / "rules").glob("*.dl")):
        parts.append(f"### {path.name}\n\n| rule | | relation |\n|---|---|---|")
        parts += [
            f"| **{path.stem}.{label}** | {_cell(meaning)} | `{relation}` |"
            for label, meaning, relation in labelled_rules(path.read_text(encoding="utf-8"))
        ]
        parts.append("")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n".join(parts) + END + after


def labelled_rules(text: str) -> Iterator[tuple[str, str, str]]:
    """Label, reason and relation of each rule that has a label."""
    for match in re.finditer(r"^// ([A-Z]\d+): ((?:.*\n)(?://.*\n)*)(\w+)\(", text, re.M):
        yield match[1], re.sub(r"\n// ?", " ", match[2]).strip(), match[3]


# -- recorded programs

PIPELINES = ("oneshot", "oneshot-loops", "full", "dealloc-pipeline", "hoist", "stack")
_RECORDED = re.compile(r"(<!-- recorded: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def recorded_tables(folder: Path) -> dict[str, str]:
    """The tables about the programs of `folder/conformance` and `folder/real`, measured now."""
    from bufferize.benchmarks import fewest_copies, memory_plans, proofs

    conformance, inputs, real = folder / "conformance", folder / "conformance/inputs", folder / "real/inputs"
    return {
        "attacks": _attacks(inputs),
        "verdicts": _printed(fewest_copies.verdicts, str(inputs), str(real)),
        "fewest-copies": _printed(fewest_copies.main, str(real)),
        "memory-plans": _printed(memory_plans.main, str(real)),
        "proofs": proofs.table({name: proofs.measure(conformance, name) for name in PIPELINES}),
    }


def _attacks(inputs: Path) -> str:
    """What random rewrites of programs copy, compared with what is called necessary or needed."""
    from bufferize.benchmarks.adversary import Attack
    from bufferize.ir.source.reading import read_source

    lines = ["| verdict | programs | rewrites | copy less |", "|---|--:|--:|--:|"]
    for verdict, needed, rewrites in (("necessary", False, 200), ("needed as written", True, 25)):
        attack = Attack(needed)
        for path in sorted(inputs.glob("*.mlir")):
            attack.on(read_source(str(path)), rewrites, "0")
        lines.append(f"| {verdict} | {attack.programs} | {attack.tried} | {attack.fallen} |")
    return "\n".join(lines) + "\n"


def _printed(main: Callable[[list[str]], int], *words: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main(list(words))
    return printed.getvalue()


def with_recorded_tables(page: str, tables: Mapping[str, str]) -> str:
    """The page with its tables about recorded programs replaced."""
    return _RECORDED.sub(lambda found: found[1] + tables[found[2]] + found[3], page)


# -- benchmarks

MEASURED = HANDBOOK / "measured.json"


def benchmarks_page() -> str:
    """`benchmarks.md` with figures from the last `bufferize bench --everything`; unchanged if there are none."""
    from bufferize.benchmarks.report import filled

    page = (HANDBOOK / "benchmarks.md").read_text(encoding="utf-8")
    return filled(page, json.loads(MEASURED.read_text(encoding="utf-8"))) if MEASURED.exists() else page


BENCHMARK_PICTURE = "pictures/benchmark-analysis.svg"


def benchmark_picture() -> str:
    """The picture of that page, of the same run; as it is if nothing is there."""
    from bufferize.benchmarks.measure import PhaseMeasurement
    from bufferize.benchmarks.report import Results, to_svg

    if not MEASURED.exists():
        return (HANDBOOK / BENCHMARK_PICTURE).read_text(encoding="utf-8")
    rows = json.loads(MEASURED.read_text(encoding="utf-8"))["measurements"]
    return to_svg(Results([PhaseMeasurement(**row) for row in rows]))


# -- pictures


def pictures() -> list[tuple[str, str]]:
    """Name and command of each picture."""
    lines = (HANDBOOK / "pictures.txt").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        if line.strip() and not line.startswith("#"):
            command = shlex.split(line)
            found.append((command[command.index("-o") + 1], line))
    return found


def draw_pictures() -> None:
    with load("runnable").folder() as place:
        for name, line in pictures():
            said = load("runnable").run(line)
            if said:
                sys.stderr.write(f"{line}\n{said}")
            elif (place / name).exists():
                shutil.copy(place / name, HANDBOOK / "pictures" / name)


# -- limits

LIMIT = re.compile(r"_?(?:MAX|MOST|LARGEST|LONGEST|WIDEST)(?:_|$)|\w+_(?:LIMIT|STEPS|BUDGET)$")
"""The names of limits: numbers at the top of a module, each with a docstring that says what is beyond it."""

BEYOND = {
    "ir": "Text beyond a limit is rejected with an error at its location, unless the table says otherwise.",
    "dialects": "",
    "semantics": "Beyond a limit an operation is not folded, and a comparison is undecided: the program stays as it is.",
    "analysis": "Beyond a limit the answer is the cautious one: memory may overlap, a value may be read or written, a size is unknown. A copy may remain; "
    "the program stays correct. Searches return the best result found so far, with a lower bound.",
    "interpreter": "Beyond a limit a run ends with a message that names the limit, unless the table says otherwise.",
    "proof": "Beyond a limit a question stays open, so the program is not proved; it is never proved wrongly.",
    "transforms": "Beyond a limit the program is left as it is at that place, so copies or operations remain.",
    "explain": "Beyond a limit a verdict is *open* or a suggestion is missing; what is reported stays true. Lists end with the number of those left out.",
    "lint": "Beyond a limit a finding may be missing.",
    "viz": "Beyond a limit pictures are folded and text is cut; they say what is left out.",
    "lsp": "",
    "cli": "Lists end with the number of lines left out; `--limit 0` shows all.",
}
"""By package, what happens beyond its limits."""


def limits() -> Iterator[tuple[str, str, float, str]]:
    """The limits: file, name, value and docstring, which is empty if there is none."""
    for package in BEYOND:
        for path in sorted((ROOT / package).rglob("*.py")):
            body = ast.parse(path.read_text(encoding="utf-8")).body
            for statement, after in zip(body, [*body[1:], None], strict=True):
                if isinstance(statement, ast.Assign):
                    target = statement.targets[0]
                elif isinstance(statement, ast.AnnAssign):
                    target = statement.target
                else:
                    continue
                value = _number(statement.value)
                if isinstance(target, ast.Name) and LIMIT.match(target.id) and value is not None:
                    yield path.relative_to(ROOT).as_posix(), target.id, value, _docstring(after)


def _number(node: ast.expr | None) -> float | None:
    """The value of an expression of literal numbers."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.BinOp):
        left, right = _number(node.left), _number(node.right)
        if left is not None and right is not None:
            return eval(compile(ast.Expression(node), "", "eval"), {})
    return None


def _docstring(node: ast.stmt | None) -> str:
    if (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ):
        return " ".join(node.value.value.split())
    return ""


def limits_page() -> str:
    parts = [
        "# Limits\n",
        NOTICE,
        "This page lists every limit of `bufferize`, so that you can tell whether a program has reached one. Limits bound time and memory on programs that "
        "are larger or more unusual than those in practice. Most are counts of steps rather than seconds, so results do not depend on the machine.\n",
    ]
    found = list(limits())
    for package, beyond in BEYOND.items():
        rows = [row for row in found if row[0].startswith(f"{package}/")]
        if not rows:
            continue
        parts += [
            f"## {package}\n",
            *([f"{beyond}\n"] if beyond else []),
            "| limit | value | what it bounds |\n|---|---|---|",
        ]
        parts += [
            f"| `{name}` in `{file}` | {value:,} | {_cell(document)} |"
            for file, name, value, document in rows
        ]
        parts.append("")
    return "\n".join(parts).rstrip("\n") + "\n"


# -- reports


def reports_page() -> str:
    """`reports.md`."""
    return load("reports").page(NOTICE)


# -- everything

PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "passes.md": passes_page,
    "findings.md": findings_page,
    "limits.md": limits_page,
    "reports.md": reports_page,
    "rules.md": rules_page,
    "benchmarks.md": benchmarks_page,
    BENCHMARK_PICTURE: benchmark_picture,
}


def outdated(with_commands: bool = True) -> list[str]:
    """What is out of date, in words."""
    found = []
    for name, make in PAGES.items():
        path = HANDBOOK / name
        if not path.exists() or path.read_text(encoding="utf-8") != make():
            found.append(f"docs/{name} is out of date")
    found += [
        f"docs/pictures/{name} is missing"
        for name, _ in pictures()
        if not (HANDBOOK / "pictures" / name).exists()
    ]
    if with_commands:
        for path in sorted(HANDBOOK.glob("*.md")):
            for command, _ in load("runnable").differences(path.read_text(encoding="utf-8")):
                found.append(f"docs/{path.name}: '{command.line}' prints something else")
    return found


def write(with_pictures: bool, with_commands: bool) -> None:
    for name, make in PAGES.items():
        (HANDBOOK / name).write_text(make(), encoding="utf-8")
    if with_pictures:
        draw_pictures()
    if with_commands:
        for path in sorted(HANDBOOK.glob("*.md")):
            path.write_text(load("runnable").refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the generated parts of the handbook.")
    parser.add_argument("--check", action="store_true", help="only say what is out of date")
    parser.add_argument("--no-pictures", dest="pictures", action="store_false")
    parser.add_argument("--no-commands", dest="commands", action="store_false")
    parser.add_argument(
        "--recorded", type=Path, metavar="FOLDER", help="measure the tables about recorded programs"
    )
    flags = parser.parse_args()
    if flags.recorded:
        tables = recorded_tables(flags.recorded)
        for path in sorted(HANDBOOK.glob("*.md")):
            path.write_text(with_recorded_tables(path.read_text(encoding="utf-8"), tables), encoding="utf-8")
        return 0
    if flags.check:
        found = outdated(flags.commands)
        sys.stdout.write("".join(f"{line}\n" for line in found))
        return 1 if found else 0
    write(flags.pictures and shutil.which("dot") is not None, flags.commands)
    return 0


if __name__ == "__main__":
    sys.exit(main())
