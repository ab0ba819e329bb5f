"""`bufferize explain` of parts of programs, each explained for itself: what is known is not found out again, and several processes help.

A large text is cut into functions that do not name one another, since what is said of these does not depend on the others. A part
that cannot be explained for itself, since it is no program or cannot be bufferized, makes the text one that is explained as a whole.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir.source.locations import Source
from ..ir.source.parts import TOGETHER, TextPart, cut
from ..ir.source.reading import keep_programs
from ..ir.source.records import Plain, as_plain
from . import arguments, cache
from .questions import Settings, TextQuestion, ask, told, workers

if TYPE_CHECKING:
    from ..explain.explanation import Explanation


SHORT = 50_000
"""Characters of texts that are not cut: half a second of work."""
_ASKED = ".explain_by_function:explained"


def can_be_by_function(flags: argparse.Namespace) -> bool:
    """Whether what is asked does not need the program when it is shown."""
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
    """What is said of each text; None where it has to be explained as it is, in this process.

    Args:
        sources: texts, each with the flags that count for it.
        flags: those of the command.
    """
    asked: list[tuple[Source, Settings, list[TextPart]]] = []
    for source, its in sources:
        settings = _settings(its, flags)
        asked.append((source, settings, _parts(source)))
    if len(asked) == 1 and len(asked[0][2]) == 1 and not flags.watch:
        keep_programs()
    if not cache.is_wanted(flags.cached) and workers(flags) < 2:
        # nobody gains from the data of what is not cut: it is shown as it is found
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
    if len(source.text) <= SHORT:
        return [whole(source)]
    return cut(source.text, TOGETHER)


def whole(source: Source) -> TextPart:
    """The only part of a text."""
    lines = source.text.count("\n") + 1
    return TextPart(source.text, range(lines), ((0, lines),))


def _ask(
    asked: Sequence[tuple[Source, Settings, list[TextPart]]], flags: argparse.Namespace
) -> list[Explanation | None]:
    questions = [
        TextQuestion(_ASKED, settings | {"is_part": len(parts) > 1}, source.name, part.text)
        for source, settings, parts in asked
        for part in parts
    ]
    answers = iter(ask(questions, flags))
    return [_together(source, [(part, next(answers)) for part in parts]) for source, _, parts in asked]


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
        **told(its),
    }


def explained(settings: Settings, name: str, text: str) -> Plain:
    """What is said of a part.

    Raises:
        BufferizeError: it is no program.
    """
    from ..analysis.models.facts import registry_with
    from ..analysis.one_shot.options import AnalysisOptions
    from ..explain.kept import NotKept, to_data
    from ..explain.report import explain
    from ..ir.text.parser import parse_source
    from ..ir.verifier import verify

    source = Source(name, text)
    module = parse_source(source, allow_unregistered=settings["unregistered"])
    verify(module, allow_unregistered=settings["unregistered"])
    models, rules = ([Source(*given) for given in settings.get(what, ())] for what in ("models", "rules"))
    options: Plain = {k: tuple(v) if isinstance(v, list) else v for k, v in settings["options"].items()}
    explanation = explain(
        module,
        AnalysisOptions(**options),
        registry_with(models, rules),
        source=source,
        show_all=settings["all"],
        with_help=settings["help"],
        function_boundary_layout=settings["layout"],
        is_part=settings["is_part"],
    )
    try:
        return to_data(explanation, source, settings["machines"])
    except NotKept:
        return {"error": "said of another text"}
