"""Typed options of the Python interface, and their validation at run time.

A name that is not known is a TypeError, as for any Python function; a value that is none of those allowed is a `BufferizeError`. Both
suggest what is like it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, TypedDict, get_args, get_origin, get_type_hints

from ..ir.program.core import Operation
from ..ir.source.diagnostics import BufferizeError, error

Heuristic = Literal["bottom-up", "top-down", "bottom-up-from-terminators", "fuzzer", "fewest-copies"]
Layout = Literal["infer-layout-map", "fully-dynamic-layout-map", "identity-layout-map"]


class AnalysisKeywords(TypedDict, total=False):
    """The fields of `AnalysisOptions`."""

    bufferize_function_boundaries: bool
    allow_return_allocs_from_loops: bool
    check_parallel_regions: bool
    analysis_heuristic: Heuristic
    analysis_fuzzer_seed: int
    time_limit: float | None
    assumed_size: int
    dialect_filter: tuple[str, ...]
    no_analysis_func_filter: tuple[str, ...]
    nested_modules: bool
    compare_parts: bool
    may_reorder: bool
    pairs_per_use: int
    compat: Literal["mlir-22"] | None


class ExplainKeywords(AnalysisKeywords, total=False):
    """The fields of `AnalysisOptions`, and the options of `explain` itself."""

    function_boundary_layout: Layout
    show_all: bool
    wanted: Callable[[Operation], bool]
    with_memory_report: bool
    with_clones: bool
    with_help: bool


class OneShotKeywords(TypedDict, total=False):
    """The options of the pass `one-shot-bufferize`."""

    allow_return_allocs_from_loops: bool
    allow_unknown_ops: bool
    assumed_size: int
    analysis_fuzzer_seed: int
    analysis_heuristic: Heuristic
    bufferize_function_boundaries: bool
    buffer_alignment: int
    destination_passing: bool
    check_parallel_regions: bool
    compare_parts: bool
    copy_before_write: bool
    dialect_filter: Sequence[str]
    dump_alias_sets: bool
    eliminate_dead_inits: bool
    fewest_copies: bool
    function_boundary_type_conversion: Layout
    rematerialize: bool
    must_infer_memory_space: bool
    nested_modules: bool
    no_analysis_func_filter: Sequence[str]
    peak_percent: int
    print_conflicts: bool
    forward_slices: bool
    test_analysis_only: bool
    time_limit: int
    unroll_and_rename: bool
    choose_destinations: bool
    forward_relayouts: bool
    unknown_type_conversion: Layout
    use_encoding_for_memory_space: bool


@cache
def _hints(keywords: type) -> dict[str, Any]:
    return get_type_hints(keywords)


def checked(function: str, keywords: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Validate the options passed to `function` against `keywords`, one of the types above, and return them.

    Raises:
        TypeError: an unknown option.
        BufferizeError: an invalid value.
    """
    hints = _hints(keywords)
    for name, value in given.items():
        if name not in hints:
            raise TypeError(f"{function}() has no option '{name}'{_like(name, hints)}")
        allowed = _allowed(hints[name])
        if allowed is not None and value not in allowed:
            listed = ", ".join(repr(one) for one in allowed)
            problem = error(
                f"{function}({name}={value!r}): there is no such {name.replace('_', ' ')}{_like(value, allowed)}"
            )
            raise BufferizeError(problem.help(f"must be one of {listed}"))
        if hints[name] is bool and not isinstance(value, bool):
            raise BufferizeError(error(f"{function}({name}={value!r}): must be True or False"))
        if hints[name] is int and (not isinstance(value, int) or isinstance(value, bool)):
            raise BufferizeError(error(f"{function}({name}={value!r}): must be an integer"))
    return dict(given)


def _allowed(hint: object) -> tuple[object, ...] | None:
    """The values of a literal type; None for other types."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    parts = [part for part in get_args(hint) if get_origin(part) is Literal]
    return (*get_args(parts[0]), None) if parts else None


def _like(word: object, known: Iterable[object]) -> str:
    close = difflib.get_close_matches(str(word), [str(one) for one in known if one is not None], 1, 0.5)
    return f" (did you mean '{close[0]}'?)" if close else ""
