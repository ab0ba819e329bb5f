"""Per-function answers that can be cached and computed in parallel, used by `bufferize explain`.

A question is a function of this package with its settings and a text, all plain data; so is its answer. Answers do not
depend on where, when and in which order they are computed: output is the same with and without `--jobs` and the cache.
A question that cannot be answered (the text is not a program, the process died) has no answer; the caller then computes
it in its own process and reports errors.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..ir.source.locations import Source
from ..ir.source.parts import TOGETHER, TextPart, cut
from ..ir.source.reading import keep_programs, read_source
from ..ir.source.records import Plain, as_plain
from . import arguments, cache
from .output import say

if TYPE_CHECKING:
    from ..explain.explanation import Explanation


Settings = Plain
Answer = Callable[[Settings, str, str], Plain]


class TextQuestion(NamedTuple):
    """A question about a text.

    Attributes:
        asked: module in this package and name of the function that answers, given settings, name and text.
        settings: plain data.
        name: the file name for findings.
        text: the program.
    """

    asked: str
    settings: Settings
    name: str
    text: str


def add_flags(parser: arguments.Parser) -> None:
    """Declare `--jobs` and `--no-cache`, which `ask` reads."""
    parser.flags("""
        --jobs N=1  process files and independent functions in N processes; 0: one for each core (default: 1)
    """)
    cache.add_flag(parser)


def workers(flags: argparse.Namespace) -> int:
    """The number of processes for `--jobs`."""
    return flags.jobs if flags.jobs > 0 else os.cpu_count() or 1


def ask(questions: Sequence[TextQuestion], flags: argparse.Namespace) -> list[str | None]:
    """The answers as JSON, in the order of the questions; None where there is no answer."""
    found: list[str | None] = [None] * len(questions)
    kept = cache.ResultCache() if cache.is_wanted(flags.cached) else None
    keys = ["" if kept is None or _is_limited(question) else _key(question) for question in questions]
    if kept is not None:
        found = [kept.get(key) if key else None for key in keys]
    for number, answer in _answers([i for i, known in enumerate(found) if known is None], questions, flags):
        if "error" in answer:
            continue
        text = found[number] = json.dumps(answer, separators=(",", ":"))
        if kept is not None and keys[number]:
            kept.put(keys[number], text)
    return found


def _is_limited(question: TextQuestion) -> bool:
    """Whether the answer depends on a time limit, so that a repeated computation may be better."""
    options: dict[str, object] = question.settings.get("options") or question.settings["flags"]
    return options.get("time_limit") is not None


def _key(question: TextQuestion) -> str:
    asked, settings, name, text = question
    return cache.key_of(cache.this_package(), asked, cache.plain(settings), name, text)


def _answers(missing: list[int], questions: Sequence[TextQuestion], flags: argparse.Namespace):
    """Question numbers with answers, in any order."""
    jobs = min(workers(flags), len(missing))
    if jobs < 2:
        for count, number in enumerate(missing, 1):
            if len(missing) > 1:
                say(f"explaining {questions[number].name}: part {count} of {len(missing)}")
            yield number, answer(questions[number])
        return
    from .corpus.run import processes, run

    asked = [(str(i), str(i), cache.plain(questions[i]).encode("utf-8", "surrogatepass")) for i in missing]
    import_module(
        questions[missing[0]].asked.partition(":")[0], __package__
    )  # must be imported before worker processes are forked
    done = 0
    for batch in run(asked, _in_worker, processes(jobs)):
        done += len(batch)
        say(f"{done} of {len(missing)} parts explained")
        yield from ((int(result.key), result.found) for result in batch)


def _in_worker(name: str, text: str) -> Plain:
    return answer(TextQuestion(*json.loads(text)))


def answer(question: TextQuestion) -> Plain:
    """The answer to a question; `error` if its text is not a program."""
    from ..ir.source.diagnostics import BufferizeError

    module, _, function = question.asked.partition(":")
    found: Answer = getattr(import_module(module, __package__), function)
    try:
        return found(question.settings, question.name, question.text)
    except BufferizeError:
        return {"error": "no program"}


def descriptions(flags: argparse.Namespace) -> Settings:
    """The user's descriptions of operations, passed to workers: models, rules and definitions, with their texts."""

    names = ("models", "rules", "ods", "irdl")
    found = {name: [[path, read_source(path).text] for path in getattr(flags, name)] for name in names}
    found["dialect"] = [
        [str(file), read_source(str(file)).text]
        for folder in getattr(flags, "dialect", ())
        for file in sorted(Path(folder).glob("**/*.py"))
    ]
    texts: Settings = {name: texts for name, texts in found.items() if texts}
    return texts | {"described": arguments.description_flags(flags)}


def command_settings(flags: argparse.Namespace, names: Sequence[str]) -> Settings:
    """The named flags, those of the analysis, and `descriptions`, as plain settings; `flags_of` restores the flags."""
    return {"flags": {name: getattr(flags, name) for name in (*names, *_analysing())}, **descriptions(flags)}


@functools.cache
def _analysing() -> tuple[str, ...]:
    """The names of the flags that `arguments.add_analysis` declares."""
    declared = arguments.Parser("")
    arguments.add_analysis(declared)
    return tuple(name for name in vars(declared.parse_args([])) if name != "help")


def flags_of(settings: Settings) -> argparse.Namespace:
    """Restore flags from the settings made by `command_settings`."""
    return argparse.Namespace(**settings["flags"])


READING = tuple("split_input_file allow_unregistered dump pass_name models rules ods irdl dialect".split())
"""The flags of `arguments.add_inputs` and `add_models` that affect answers."""


# `bufferize explain` by parts of a program, cached and computed in parallel.
#
# A large text is split into groups of functions that do not reference one another, since their explanations are
# independent. If a part cannot be explained separately, because it is invalid or cannot be bufferized, the whole text
# is explained at once.

SHORT = 50_000
"""Shorter texts, in characters, are not split: half a second of work."""
FEW_PARTS = 4 * SHORT
"""Shorter texts leave so little behind, in all parts, that collecting it takes longer than it is worth."""
ROUNDED = 100
"""The size of a program is given to its parts in steps of so many lines."""
MANY_LINES = 1_000
"""All larger programs are explained alike."""
_ASKED = ".questions:explained"


def can_be_by_function(flags: argparse.Namespace) -> bool:
    """Whether rendering the requested output does not need the program."""
    return not (
        flags.function
        or flags.why
        or flags.ownership
        or flags.proof
        or flags.memory
        or flags.measure
        or flags.split_input_file
        or flags.dump is not None
        or flags.pass_name is not None
        or flags.analysis_heuristic == "fuzzer"
    )


def explain_by_function(
    sources: Sequence[tuple[Source, argparse.Namespace]], flags: argparse.Namespace
) -> list[Explanation | None]:
    """The explanation of each text; None if it must be explained whole, in this process.

    Args:
        sources: texts, each with the flags that apply to it.
        flags: those of the command.
    """
    asked: list[tuple[Source, Settings, list[TextPart]]] = []
    for source, its in sources:
        settings = _settings(its, flags)
        asked.append((source, settings, _parts(source)))
    if len(asked) == 1 and not flags.watch and (len(asked[0][2]) == 1 or len(asked[0][0].text) <= FEW_PARTS):
        keep_programs()
    if not cache.is_wanted(flags.cached) and workers(flags) < 2:
        # serializing an unsplit text gains nothing: it is explained in this process
        cut_ones = [i for i, (_, _, parts) in enumerate(asked) if len(parts) > 1]
        done = dict(zip(cut_ones, _ask([asked[i] for i in cut_ones], flags), strict=True))
        return [done.get(i) for i in range(len(asked))]
    found = _ask(asked, flags)
    again = [i for i, explanation in enumerate(found) if explanation is None and len(asked[i][2]) > 1]
    uncut = [(asked[i][0], asked[i][1], [whole(asked[i][0])]) for i in again]
    for i, explanation in zip(again, _ask(uncut, flags), strict=True):
        found[i] = explanation
    return found


def _parts(source: Source) -> list[TextPart]:
    return [whole(source)] if len(source.text) <= SHORT else cut(source.text, TOGETHER)


def whole(source: Source) -> TextPart:
    """The single part of an unsplit text."""
    lines = source.text.count("\n") + 1
    return TextPart(source.text, range(lines), ((0, lines),))


def _ask(
    asked: Sequence[tuple[Source, Settings, list[TextPart]]], flags: argparse.Namespace
) -> list[Explanation | None]:
    questions = [
        TextQuestion(_ASKED, settings | {"part_of": _part_of(source, parts)}, source.name, part.text)
        for source, settings, parts in asked
        for part in parts
    ]
    answers = iter(ask(questions, flags))
    return [_together(source, [(part, next(answers)) for part in parts]) for source, _, parts in asked]


def _part_of(source: Source, parts: list[TextPart]) -> int:
    """The size of the program, in lines, of which a text is one of many parts; rounded, so that an edit rarely changes it."""
    lines = source.text.count("\n") + 1
    return min(lines + -lines % ROUNDED, MANY_LINES) if len(parts) > 1 else 0


def _together(source: Source, answers: list[tuple[TextPart, str | None]]) -> Explanation | None:
    from ..explain.kept import KeptExplanation, relocated

    parts: list[tuple[TextPart, Plain]] = []
    for part, answer in answers:
        if answer is None:
            return None
        data = relocated(answer, part)
        if len(answers) > 1 and not (data["complete"] and data["bufferized"]):
            return None
        parts.append((part, data))
    return KeptExplanation.of(source, parts)


def _settings(its: argparse.Namespace, flags: argparse.Namespace) -> Settings:
    return {
        "unregistered": its.allow_unregistered,
        "options": as_plain(arguments.analysis_options(its)),
        "layout": its.function_boundary_type_conversion,
        "all": its.all,
        "help": its.suggest,
        "machines": flags.format != "text",
        **descriptions(its),
    }


def explained(settings: Settings, name: str, text: str) -> Plain:
    """The explanation of a part, as plain data.

    Raises:
        BufferizeError: it is not a valid program.
    """
    from ..analysis.models.facts import registry_with
    from ..analysis.one_shot import AnalysisOptions
    from ..explain.kept import NotKept, to_data
    from ..explain.report import explain
    from ..ir.text.parser import parse_source
    from ..ir.verifier import verify

    source = Source(name, text)
    module = parse_source(source, allow_unregistered=settings["unregistered"])
    verify(module, allow_unregistered=settings["unregistered"])
    models, rules = ([Source(*given) for given in settings.get(what, ())] for what in ("models", "rules"))
    options: Plain = {k: tuple(v) if isinstance(v, list) else v for k, v in settings["options"].items()}
    registry = registry_with(models, rules)
    registry.flags = tuple(settings["described"])
    explanation = explain(
        module,
        AnalysisOptions(**options),
        registry,
        source=source,
        show_all=settings["all"],
        with_help=settings["help"],
        function_boundary_layout=settings["layout"],
        part_of=settings["part_of"],
    )
    try:
        return to_data(explanation, source, settings["machines"])
    except NotKept:
        return {"error": "about another text"}
