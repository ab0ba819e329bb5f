"""Defects of mlir-opt 22, and of passes that only mlir-opt 16 has, which are mirrored on request only: one list, one switch.

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
    """One defect of mlir-opt.

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
CANONICALIZATION, LOWERING = "Canonicalization", "Lowering"

ARGUMENTS_OF_BLOCKS = Defect(
    ANALYSIS, "arguments-of-blocks", "misses writes outside the block whose argument receives the contents"
)
ELEMENTS = Defect(ANALYSIS, "elements", "assumes that the body of a structured operation runs once")
UNKNOWN_REGIONS = Defect(ANALYSIS, "unknown-regions", "assumes that regions of unknown operations run once")
NESTED_IN_CYCLES = Defect(
    ANALYSIS, "nested-in-cycles", "recognises a cycle of blocks only for operations directly in its blocks"
)
SWITCH_RESULTS = Defect(ANALYSIS, "switch-results", "assumes that scf.index_switch returns new buffers")
RESULTS_OF_CALLS = Defect(ANALYSIS, "results-of-calls", "assumes that the results of a call are disjoint")
HANDED_BACK = Defect(
    ANALYSIS, "handed-back", "confuses the argument that a call returns with its other arguments"
)
RETURNED_CONSTANTS = Defect(ANALYSIS, "returned-constants", "writes to constants that a call returned")
LOOP_CARRIED = Defect(ANALYSIS, "loop-carried", "misses loops that yield a constant, or one buffer twice")
OUTER_SLICES = Defect(
    ANALYSIS, "outer-slices", "assumes that a slice of an outer tensor is the same in each iteration"
)
UNSIGNED_LOOPS = Defect(ANALYSIS, "unsigned-loops", "compares bounds of unsigned loops as signed numbers")
SEVERAL_EDGES = Defect(
    ANALYSIS, "several-edges", "considers only the first of several edges from one branch to one block"
)
MASKED_WRITES = Defect(
    ANALYSIS,
    "masked-writes",
    "assumes that a vector.transfer_write with a mask, or along other than the leading dimensions, writes every element",
)
PARALLEL_INSERTIONS = Defect(
    ANALYSIS, "parallel-insertions", "treats the insertions at the end of one scf.forall as unordered"
)
SHARED_TENSORS = Defect(
    ANALYSIS,
    "shared-tensors",
    "lets an iteration of scf.forall read the insertions of earlier iterations from a shared tensor",
)
MEMORY_ACCESSES = Defect(
    ANALYSIS,
    "memory-accesses",
    "treats accesses through the memref of bufferization.to_buffer as if they happened there",
)
UNREAD_WRITES = Defect(
    ANALYSIS,
    "unread-writes",
    "lets the iterations of a parallel loop write the same elements of a buffer that nothing reads",
)
EMPTY_LOOPS = Defect(
    ANALYSIS,
    "empty-loops",
    "assumes that a structured operation overwrites its destination even where its loops do not run",
)
LOADED_GLOBALS = Defect(
    ANALYSIS,
    "loaded-globals",
    "does not copy a loaded global that is stored to while the loaded value is used",
)

DENSE_CASTS = Defect(REWRITE, "dense-casts", "casts a part of a buffer to a layout without gaps")
RESTRICTED_DESTINATIONS = Defect(
    REWRITE,
    "restricted-destinations",
    "computes in a buffer early, although the program loads from it or stores to it in between",
)
CAST_RESULTS = Defect(REWRITE, "cast-results", "loses the sizes of a result that a tensor.cast made static")

ESCAPING_BUFFERS = Defect(FREEING, "escaping-buffers", "frees buffers whose address has escaped")
LOADED_BUFFERS = Defect(
    FREEING, "loaded-buffers", "assumes that the owner of a memref owns the memrefs loaded from it"
)
REPLACED_RESULTS = Defect(
    FREEING, "replaced-results", "does not track results of operations that it replaces"
)
REFUSED_PROGRAMS = Defect(FREEING, "refused-programs", "rejects programs whose owners depend on the path")
UNKNOWN_RESULTS = Defect(
    FREEING, "unknown-results", "assumes that results of unknown operations are not views"
)
TRANSPOSED_VIEWS = Defect(
    FREEING, "transposed-views", "assumes that the result of memref.transpose is not a view"
)
REALLOCATIONS = Defect(FREEING, "reallocations", "frees buffers that memref.realloc has already freed")
FREED_VIEWS = Defect(FREEING, "freed-views", "frees buffers that the program frees through a view")
USES_ELSEWHERE = Defect(FREEING, "uses-elsewhere", "misses uses outside the block that defines the view")
ENDS_OF_BLOCKS = Defect(FREEING, "ends-of-blocks", "treats a terminator as a use, and leaks")
WAYS_OF_FREEING = Defect(
    FREEING, "ways-of-freeing", "frees every buffer by memref.dealloc, however it was allocated"
)
LATER_NAMES = Defect(
    FREEING, "later-names", "leaks a buffer that only the second of two aliases in a dealloc owns"
)

AFFINE_PARALLEL = Defect(PLACEMENT, "affine-parallel", "moves allocations out of affine.parallel")
FREED_ALREADY = Defect(
    PLACEMENT,
    "freed-already",
    "moves buffers out of loops, and onto the stack, that the program itself frees",
)
KEPT_BY_CALLEES = Defect(
    PLACEMENT,
    "kept-by-callees",
    "moves buffers out of loops, and onto the stack, that a function without a body may retain",
)
STORED_BUFFERS = Defect(
    PLACEMENT,
    "stored-buffers",
    "moves buffers out of loops, and onto the stack, that are stored in memory that outlives them",
)
RESULTS_OF_ONE_BUFFER = Defect(
    PLACEMENT, "results-of-one-buffer", "creates out params for results that are one buffer, or an argument"
)
NESTED_INDICES = Defect(
    CANONICALIZATION,
    "nested-indices",
    "merges linalg.index of nested operations, although each refers to its own loops",
)
NARROW_CASTS = Defect(
    CANONICALIZATION, "narrow-casts", "folds an index cast to a narrower type and back to the same index"
)
EXPANDED_READS = Defect(
    CANONICALIZATION,
    "expanded-reads",
    "reads vectors through memref.expand_shape as if they were adjacent in the same dimensions of the source",
)
VECTORS_OF_VIEWS = Defect(
    CANONICALIZATION,
    "vectors-of-views",
    "loads and stores vectors without the view of memory, although they lie along other dimensions of the source",
)
EARLY_SIZES = Defect(
    CANONICALIZATION,
    "early-sizes",
    "loads a size of a reshape where it is reshaped, although the dimension may not exist, and is not asked for there",
)
LOADS_AFTER_STORES = Defect(
    CANONICALIZATION,
    "loads-after-stores",
    "replaces a load from bufferization.to_buffer by an extraction from the tensor, although the memref was stored to",
)
MERGED_BUFFERS = Defect(
    CANONICALIZATION,
    "merged-buffers",
    "merges two bufferization.to_buffer of one tensor, or moves one out of a loop, although the memref is stored to",
)
LATE_READS = Defect(
    CANONICALIZATION,
    "late-reads",
    "computes an element of tensor.generate where it is extracted, although its body reads memory that may have changed",
)
DEAD_REALLOCATIONS = Defect(
    CANONICALIZATION,
    "dead-reallocations",
    "erases an unused memref.realloc together with the deallocation of its result, and leaks its operand",
)

NEGATIVE_INDICES = Defect(
    CANONICALIZATION,
    "negative-indices",
    "declares a vector transfer at a negative constant index to be in bounds",
)
MASKED_COPIES = Defect(
    CANONICALIZATION, "masked-copies", "takes a masked copy of a whole tensor for that tensor"
)
MASKED_TRANSFERS = Defect(
    CANONICALIZATION, "masked-transfers", "takes a transfer inside of vector.mask for one of all elements"
)
PERMUTED_TRANSFERS = Defect(
    CANONICALIZATION,
    "permuted-transfers",
    "assumes that transposed vectors extend in a tensor as far as those that are not",
)
SCALABLE_TRANSFERS = Defect(
    CANONICALIZATION, "scalable-transfers", "assumes that scalable vectors have their least size"
)
SPECULATED_OPERATIONS = Defect(
    CANONICALIZATION,
    "speculated-operations",
    "moves divisions and accesses to tensors out of loops that may not run, although they may be undefined",
)
REORDERED_BROADCASTS = Defect(
    CANONICALIZATION,
    "reordered-broadcasts",
    "broadcasts a vector to the type of a cast, although the cast puts the elements in another order",
)
STRIDED_PADDINGS = Defect(
    CANONICALIZATION,
    "strided-paddings",
    "omits a padding from an insertion with a stride, and moves the inserted slice by the width of the padding alone",
)
DIAGONAL_COPIES = Defect(
    CANONICALIZATION,
    "diagonal-copies",
    "takes a structured operation that copies some elements of a tensor for one that copies all",
)
EMPTY_RESHAPES = Defect(
    CANONICALIZATION,
    "empty-reshapes",
    "assumes that an expansion restores the sizes of what was collapsed, although there are no elements",
)
NARROW_SWITCHES = Defect(
    LOWERING,
    "narrow-switches",
    "compares only the lower half of the index with the cases of scf.index_switch",
)
WRAPPED_COUNTERS = Defect(
    LOWERING,
    "wrapped-counters",
    "lets the counter of a loop overflow, so that a loop to the end of an integer type never ends",
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
