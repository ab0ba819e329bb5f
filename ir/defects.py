"""Defects of mlir-opt 22 that are mirrored on request only: one list, one switch.

The reference has defects: it loses data, frees too early, leaks, or rejects a valid program. Each one that can be
mirrored is a `Defect` in the list, described under its name in docs/differences.md. Code that deviates from the
reference tests whether the defect is mirrored; it never tests a version:

    operands[:1] if SEVERAL_EDGES in context.mirrored else operands

`mirrored(compat)` is the switch. Nothing is mirrored by default; naming the version mirrors the whole list.
"""

from __future__ import annotations

from typing import Final

MLIR_22: Final = "mlir-22"
"""The reference that can be mirrored: the value of `--compat`."""


class Defect:
    """One defect of mlir-opt 22.

    Attributes:
        name: its name in docs/differences.md and in rules: `mirrors("masked-writes")`.
        what: what the reference does.
        section: the section of docs/differences.md that describes it.
    """

    __slots__ = ("name", "section", "what")

    def __init__(self, section: str, name: str, what: str) -> None:
        self.section, self.name, self.what = section, name, what

    def __repr__(self) -> str:
        return f"<defect {self.name}>"


ANALYSIS, REWRITE, FREEING, PLACEMENT = "One-Shot analysis", "One-Shot rewrite", "Deallocation", "Placement"
CANONICALIZATION = "Canonicalization"

ARGUMENTS_OF_BLOCKS = Defect(
    ANALYSIS,
    "arguments-of-blocks",
    "overlooks writes in another block than the one that receives the contents",
)
ELEMENTS = Defect(ANALYSIS, "elements", "takes the body of an operation on elements to run once")
UNKNOWN_REGIONS = Defect(ANALYSIS, "unknown-regions", "takes regions of unknown operations to run once")
NESTED_IN_CYCLES = Defect(
    ANALYSIS, "nested-in-cycles", "sees cycles of blocks only from these blocks themselves"
)
SWITCH_RESULTS = Defect(ANALYSIS, "switch-results", "takes results of scf.index_switch for new buffers")
RESULTS_OF_CALLS = Defect(ANALYSIS, "results-of-calls", "takes the results of a call to be apart")
HANDED_BACK = Defect(
    ANALYSIS, "handed-back", "takes any argument that a call hands back for the one asked about"
)
RETURNED_CONSTANTS = Defect(ANALYSIS, "returned-constants", "writes to constants that a call returned")
LOOP_CARRIED = Defect(
    ANALYSIS, "loop-carried", "overlooks constants, and one buffer twice, in what loops forward"
)
OUTER_SLICES = Defect(
    ANALYSIS, "outer-slices", "takes a slice of an outer tensor to be the same in each iteration"
)
UNSIGNED_LOOPS = Defect(ANALYSIS, "unsigned-loops", "compares bounds of unsigned loops as signed numbers")
SEVERAL_EDGES = Defect(
    ANALYSIS, "several-edges", "sees only the first of several edges from one branch to one block"
)
MASKED_WRITES = Defect(
    ANALYSIS,
    "masked-writes",
    "takes a vector.transfer_write with a mask, or along other than the leading dimensions, to write every element",
)
PARALLEL_INSERTIONS = Defect(
    ANALYSIS, "parallel-insertions", "takes the insertions at the end of one scf.forall to have no order"
)
SHARED_TENSORS = Defect(
    ANALYSIS,
    "shared-tensors",
    "lets an iteration of scf.forall see, in a shared tensor, what others have inserted already",
)
MEMORY_ACCESSES = Defect(
    ANALYSIS,
    "memory-accesses",
    "takes what is done through the memref of bufferization.to_buffer to be done there",
)
EMPTY_LOOPS = Defect(
    ANALYSIS,
    "empty-loops",
    "takes the destination of a structured operation to be overwritten also where its loops do not run",
)
LOADED_GLOBALS = Defect(
    ANALYSIS, "loaded-globals", "does not keep what was loaded from a global that is stored to"
)

DENSE_CASTS = Defect(REWRITE, "dense-casts", "casts a part of a buffer to a layout without gaps")
RESTRICTED_DESTINATIONS = Defect(
    REWRITE,
    "restricted-destinations",
    "computes in a buffer early, although the program itself loads from it or stores to it meanwhile",
)
CAST_RESULTS = Defect(REWRITE, "cast-results", "forgets the sizes of a result that a tensor.cast made static")

ESCAPING_BUFFERS = Defect(FREEING, "escaping-buffers", "frees buffers whose address has escaped")
LOADED_BUFFERS = Defect(
    FREEING, "loaded-buffers", "takes what is loaded from memory to be owned like the memory"
)
REPLACED_RESULTS = Defect(
    FREEING, "replaced-results", "loses sight of results of operations that it replaces"
)
REFUSED_PROGRAMS = Defect(FREEING, "refused-programs", "rejects programs whose owners depend on the path")
UNKNOWN_RESULTS = Defect(FREEING, "unknown-results", "takes no result of an unknown operation for a view")
TRANSPOSED_VIEWS = Defect(FREEING, "transposed-views", "does not take memref.transpose for a view")
REALLOCATIONS = Defect(FREEING, "reallocations", "frees what memref.realloc has freed already")
FREED_VIEWS = Defect(FREEING, "freed-views", "frees what is freed by hand through a view")
USES_ELSEWHERE = Defect(
    FREEING, "uses-elsewhere", "overlooks uses in another block than the one that defines the view"
)
ENDS_OF_BLOCKS = Defect(FREEING, "ends-of-blocks", "takes what ends a block for a use, and leaks")
WAYS_OF_FREEING = Defect(FREEING, "ways-of-freeing", "frees by memref.dealloc what is to be freed otherwise")
LATER_NAMES = Defect(FREEING, "later-names", "leaks what only the second of two names in a dealloc owns")

AFFINE_PARALLEL = Defect(PLACEMENT, "affine-parallel", "moves allocations out of affine.parallel")
FREED_ALREADY = Defect(
    PLACEMENT, "freed-already", "moves out of loops, and onto the stack, what the program itself frees there"
)
KEPT_BY_CALLEES = Defect(
    PLACEMENT,
    "kept-by-callees",
    "moves out of loops, and onto the stack of a part, what a function without a body may keep",
)
RESULTS_OF_ONE_BUFFER = Defect(
    PLACEMENT, "results-of-one-buffer", "makes two out params of results that are one buffer"
)
NESTED_INDICES = Defect(
    CANONICALIZATION,
    "nested-indices",
    "merges linalg.index of nested operations, each of which means its own loops",
)
NARROW_CASTS = Defect(
    CANONICALIZATION, "narrow-casts", "takes an index cast to a narrower type and back to be the same index"
)

DEFECTS: Final = tuple(found for found in list(globals().values()) if isinstance(found, Defect))
"""The list, in the order of this file."""

SOUND: Final[frozenset[Defect]] = frozenset()
"""Nothing is mirrored."""

_ALL: Final = frozenset(DEFECTS)


def mirrored(compat: str | None) -> frozenset[Defect]:
    """The defects mirrored by `--compat=compat`. "" and None mirror nothing.

    >>> mirrored("") == SOUND, MASKED_WRITES in mirrored("mlir-22")
    (True, True)
    """
    return _ALL if compat == MLIR_22 else SOUND
