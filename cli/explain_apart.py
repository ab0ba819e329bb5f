"""`bufferize explain` of parts of programs, each explained for itself: what is known is not found out again, and several processes help.

A large text is cut into functions that do not name one another, since what is said of these does not depend on the others. A part
that cannot be explained for itself, since it is no program or cannot be bufferized, makes the text one that is explained as a whole.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir.source.parts import TOGETHER, TextPart, cut
from ..ir.source.places import Source
from . import cache
from .arguments import analysis_options
from .questions import ANALYSING, Settings, TextQuestion, ask, flags_of, given, workers

if TYPE_CHECKING:
    from ..explain.explanation import Explanation

SHORT = 50_000
"""Characters of texts that are not cut: half a second of work."""
ASKED = (*ANALYSING, "allow_unregistered", "function_boundary_type_conversion", "all", "suggest")


def can_be_apart(flags: argparse.Namespace) -> bool:
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


def explain_apart(
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
    from ..explain.kept import can_be_cut

    return cut(source.text, TOGETHER) if can_be_cut(source.text) else [whole(source)]


def whole(source: Source) -> TextPart:
    """The only part of a text."""
    lines = source.text.count("\n") + 1
    return TextPart(source.text, range(lines), ((0, lines),))


def _ask(
    asked: Sequence[tuple[Source, Settings, list[TextPart]]], flags: argparse.Namespace
) -> list[Explanation | None]:
    questions = [
        TextQuestion(".explain_apart:explained", settings | {"cut": len(parts) > 1}, source.name, part.text)
        for source, settings, parts in asked
        for part in parts
    ]
    answers = iter(ask(questions, flags))
    return [_together(source, [(part, next(answers)) for part in parts]) for source, _, parts in asked]


def _together(source: Source, answers: list[tuple[TextPart, str | None]]) -> Explanation | None:
    from ..explain.kept import KeptExplanation, relocated

    parts: list[tuple[TextPart, Any]] = []
    for part, answer in answers:
        if answer is None:
            return None
        data = relocated(answer, part) if len(answers) > 1 else json.loads(answer)
        if len(answers) > 1 and not (data["complete"] and data["bufferized"]):
            return None
        parts.append((part, data))
    return KeptExplanation.of(source, parts)


def _settings(its: argparse.Namespace, flags: argparse.Namespace) -> Settings:
    return given(its, ASKED) | {"compat": getattr(its, "compat", None), "machines": flags.format != "text"}


def explained(settings: Settings, name: str, text: str) -> dict[str, Any]:
    """What is said of a part.

    Raises:
        BufferizeError: it is no program.
    """
    from ..analysis.models.facts import registry_with
    from ..explain.kept import LINES, NotKept, to_data
    from ..explain.report import explain
    from ..ir.text.parser import parse_source
    from ..ir.verifier import verify

    source = Source(name, text, LINES + 1 if settings["cut"] else 1)
    flags = flags_of(settings)
    flags.compat = settings["compat"]
    module = parse_source(source, allow_unregistered=flags.allow_unregistered)
    verify(module, allow_unregistered=flags.allow_unregistered)
    models, rules = ([Source(*given) for given in settings.get(what, ())] for what in ("models", "rules"))
    explanation = explain(
        module,
        analysis_options(flags),
        registry_with(models, rules),
        source=source,
        show_all=flags.all,
        with_help=flags.suggest,
        function_boundary_layout=flags.function_boundary_type_conversion,
        is_part=settings["cut"],
    )
    try:
        return to_data(explanation, source, settings["machines"])
    except NotKept:
        return {"error": "said of another text"}
