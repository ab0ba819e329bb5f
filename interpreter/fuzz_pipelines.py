"""The pipelines that random programs are sent through, as flags of `bufferize-opt`; `SEED` stands for a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

ONE_SHOT = "-one-shot-bufferize="
FREE = "-buffer-deallocation-pipeline"
BOUNDARIES = "bufferize-function-boundaries"
LOOPS = f"{BOUNDARIES} allow-return-allocs-from-loops"
FEWEST_COPIES = "fewest-copies"
IDENTITY = "function-boundary-type-conversion=identity-layout-map"
PLAN = "-plan-memory=mark=lives"
SCHEDULE = "-schedule-for-memory"

PARTIAL = (
    "-empty-tensor-to-alloc-tensor",
    "-bufferization-bufferize",
    "-arith-bufferize",
    "-linalg-bufferize",
    "-tensor-bufferize",
    "-scf-bufferize",
    "-func-bufferize",
    "-finalizing-bufferize",
)

TENSOR_PIPELINES: tuple[tuple[str, ...], ...] = (
    (ONE_SHOT + BOUNDARIES,),
    (ONE_SHOT + LOOPS,),
    (ONE_SHOT + f"{LOOPS} copy-before-write",),
    (ONE_SHOT + f"{LOOPS} analysis-heuristic=top-down",),
    (ONE_SHOT + f"{LOOPS} analysis-heuristic=fuzzer analysis-fuzzer-seed=SEED",),
    (ONE_SHOT + f"{LOOPS} {IDENTITY}",),
    (ONE_SHOT + LOOPS, FREE),
    (ONE_SHOT + f"{LOOPS} {IDENTITY}", FREE),
    (ONE_SHOT + LOOPS, "-buffer-hoisting", "-buffer-loop-hoisting", "-promote-buffers-to-stack", FREE),
    (ONE_SHOT + LOOPS, "-drop-equivalent-buffer-results"),
    (ONE_SHOT + LOOPS, "-drop-equivalent-buffer-results", FREE),
    (ONE_SHOT + f"{LOOPS} {IDENTITY}", "-buffer-results-to-out-params", FREE),
    (ONE_SHOT + f"{LOOPS} {FEWEST_COPIES} analysis-heuristic={FEWEST_COPIES} peak-percent=0",),
    (ONE_SHOT + f"{LOOPS} {FEWEST_COPIES}", FREE),
    (ONE_SHOT + f"{LOOPS} {IDENTITY} {FEWEST_COPIES}", "-canonicalize", "-cse"),
    ("-eliminate-empty-tensors", ONE_SHOT + LOOPS),
    ("-empty-tensor-to-alloc-tensor", ONE_SHOT + LOOPS, FREE),
    (ONE_SHOT + LOOPS, "-ownership-based-buffer-deallocation"),
    (ONE_SHOT + LOOPS, "-ownership-based-buffer-deallocation", "-buffer-deallocation-simplification"),
    (ONE_SHOT + LOOPS, "-ownership-based-buffer-deallocation", "-bufferization-lower-deallocations"),
    (ONE_SHOT + LOOPS, FREE, "-optimize-allocation-liveness"),
    (ONE_SHOT + LOOPS, FREE, PLAN),
    (ONE_SHOT + LOOPS, "-canonicalize", PLAN),
    (ONE_SHOT + LOOPS, "-canonicalize", "-cse"),
    (ONE_SHOT + f"{LOOPS} allow-unknown-ops",),
    (ONE_SHOT + "allow-return-allocs-from-loops",),
    (ONE_SHOT + "allow-return-allocs-from-loops", "-canonicalize"),
    *((PARTIAL[0], single) for single in PARTIAL[1:-1]),
    PARTIAL,
    (*PARTIAL, "-canonicalize"),
    (*PARTIAL, FREE),
    (*PARTIAL, "-buffer-deallocation"),
    (
        *PARTIAL,
        "-buffer-hoisting",
        "-buffer-loop-hoisting",
        "-promote-buffers-to-stack",
        "-buffer-deallocation",
    ),
    (*PARTIAL, "-buffer-deallocation", "-copy-removal"),
    (ONE_SHOT + LOOPS, "-buffer-deallocation"),
    (ONE_SHOT + LOOPS, "-buffer-deallocation", "-copy-removal"),
    (SCHEDULE, ONE_SHOT + LOOPS, FREE),
    (SCHEDULE, "-eliminate-empty-tensors", ONE_SHOT + LOOPS, FREE, PLAN),
    (f"{SCHEDULE}=destinations=false", ONE_SHOT + LOOPS, FREE),
    ("-rematerialize=budget=SEED", ONE_SHOT + LOOPS, FREE),
    ("-rematerialize=budget=16 destinations=false", ONE_SHOT + LOOPS, FREE, PLAN),
)
MEMORY_PIPELINES: tuple[tuple[str, ...], ...] = (
    (FREE,),
    ("-ownership-based-buffer-deallocation",),
    ("-ownership-based-buffer-deallocation=private-function-dynamic-ownership=true",),
    ("-ownership-based-buffer-deallocation", "-buffer-deallocation-simplification"),
    ("-ownership-based-buffer-deallocation", "-bufferization-lower-deallocations"),
    ("-buffer-hoisting",),
    ("-buffer-loop-hoisting",),
    ("-promote-buffers-to-stack",),
    ("-buffer-hoisting", "-buffer-loop-hoisting", "-promote-buffers-to-stack", FREE),
    ("-canonicalize", "-cse"),
    (FREE, "-optimize-allocation-liveness"),
    (FREE, PLAN),
    (PLAN,),
    ("-expand-realloc", FREE),
    ("-drop-equivalent-buffer-results",),
    ("-buffer-results-to-out-params", FREE),
    ("-copy-removal",),
    ("-buffer-hoisting", "-canonicalize", "-cse", FREE, "-canonicalize", "-cse"),
)
OWNING = (FREE, "-ownership-based-buffer-deallocation")
"""After these nothing leaks, and a function returns memory of its own.

`-buffer-deallocation` does not promise that: what calls return, and what is returned on some paths only, it leaves alone.
"""
ANY_FREE = (*OWNING, "-buffer-deallocation")
NOT_CONVERTED = frozenset(
    (
        "splat",
        "forall",
        "index_switch",
        "execute",
        "vectors",
        "pad",
        "pad_body",
        "concat",
        "materialize",
        "poke",
        "load_later",
        "store_later",
        "forall_several",
    )
)
"""Kinds of statements that the partial passes have no patterns for, or that they promise nothing about."""
REMOVED = (*PARTIAL[1:], "-buffer-deallocation", "-copy-removal")
"""These do not exist in mlir-opt 22."""


def usable(
    pipelines: Sequence[tuple[str, ...]], seed: int, known: Callable[[str], bool]
) -> list[tuple[str, ...]]:
    """The pipelines whose passes are all `known`, with the seed filled in."""
    return [
        tuple(flag.replace("SEED", str(seed % 997)) for flag in pipeline)
        for pipeline in pipelines
        if all(known(flag.lstrip("-").partition("=")[0]) for flag in pipeline)
    ]


def unfit(flags: Sequence[str]) -> frozenset[str]:
    """The kinds of statements that a pipeline refuses by design: they would only waste the program."""
    found = frozenset[str]()
    if any_of(flags, PARTIAL[1:]):
        found |= NOT_CONVERTED
    if any_of(flags, ANY_FREE):
        found |= {"block_loop"}
    return found


def has_option(flags: Sequence[str], option: str) -> bool:
    """Whether one of the passes is given the option, which mlir-opt does not have."""
    return any(option in flag.partition("=")[2].split() for flag in flags)


def any_of(flags: Sequence[str], names: Sequence[str]) -> bool:
    """Whether one of the passes is among `names`."""
    return any(flag.partition("=")[0] in names for flag in flags)
