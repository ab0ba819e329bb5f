"""Base class of passes: name, options, and a transformation of one operation; and the table of passes by name.

A pass leaves a valid program or raises. It reports to users through `context.diagnostics` and never prints. Options
are declared as fields and parsed in `mlir-opt`'s syntax.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar, overload

from ..ir.defects import mirrored
from ..ir.program.core import Operation, Value
from ..ir.source.diagnostics import DiagnosticEngine, PassFailed
from ..ir.source.text import lazy_pattern

# -- Retired passes and options of MLIR, with their replacements.


RETIRED_PASSES: Final = {
    "std-bufferize": (
        "the standard dialect was split, and this pass with it: use arith-bufferize for constants and selections, "
        "tensor-bufferize for tensors, func-bufferize for functions, calls and branches"
    ),
    "buffer-placement": "use buffer-deallocation, with buffer-hoisting before it",
    "linalg-comprehensive-module-bufferize": 'use one-shot-bufferize="bufferize-function-boundaries"',
    "func-buffer-results-to-out-params": "use buffer-results-to-out-params",
    "tensor-copy-insertion": "one-shot-bufferize inserts the copies itself; test-analysis-only shows where",
}
"""The replacement of each retired pass, as the rest of a sentence."""

RETIRED_OPTIONS: Final = {
    ("one-shot-bufferize", "allow-return-allocs"): (
        "blocks and functions may always return allocations; for loops, use allow-return-allocs-from-loops"
    ),
    ("one-shot-bufferize", "create-deallocs"): (
        "run buffer-deallocation-pipeline afterwards to free buffers"
    ),
    ("one-shot-bufferize", "fully-dynamic-layout-maps"): (
        "use function-boundary-type-conversion=fully-dynamic-layout-map for true, =identity-layout-map for false"
    ),
    ("one-shot-bufferize", "always-aliasing-with-dest"): "each operation declares its own aliases",
    ("one-shot-bufferize", "create-alloc-tensor"): "use empty-tensor-to-alloc-tensor",
}
"""The replacement of each retired option, by names of pass and option."""


def retired_pass(name: str) -> str | None:
    """A sentence about a retired pass and its replacement; None if there never was such a pass."""
    way_on = RETIRED_PASSES.get(name.lstrip("-"))
    return None if way_on is None else f"'{name.lstrip('-')}' was removed from MLIR: {way_on}"


def retired_option(pass_name: str, option: str) -> str | None:
    """The same for an option of a pass."""
    way_on = RETIRED_OPTIONS.get((pass_name, option))
    return None if way_on is None else f"option {option} was removed from MLIR: {way_on}"


T = TypeVar("T")


class Context:
    """The state shared by the passes of one run.

    Attributes:
        diagnostics: receives remarks, warnings and errors.
        compat: "" for sound decisions, or the reference version to mirror, defects included.
        mirrored: these defects.
        statistics: counters by pass and name, for `--mlir-pass-statistics`.
        models: texts of facts files that describe custom operations.
        rules: texts of users' own rules.
        ownership_agrees: the functions in which deallocation gave all names of a buffer the same owner.
        touched: the operations that the last pass inserted or changed, or erased something from; None if it did not
            report.
        dumps: prints programs between passes (`dumps.Dumps`); None without dumps.
    """

    def __init__(
        self,
        diagnostics: DiagnosticEngine | None = None,
        compat: str = "",
        models: Sequence[Any] = (),
        rules: Sequence[Any] = (),
    ):
        self.diagnostics = diagnostics if diagnostics is not None else DiagnosticEngine()
        self.compat = compat
        self.mirrored = mirrored(compat)
        self.statistics: dict[tuple[str, str], int] = {}
        self.models = list(models)
        self.rules = list(rules)
        self.ownership_agrees: set[Operation] = set()
        self.touched: set[Operation] | None = None
        self.dumps: Any = None

    def note_touched(self, ops: set[Operation] | None) -> None:
        """Report all operations that the running pass changes; only these are verified afterwards.

        None: unknown, and all are verified unless others report.
        """
        if ops is not None:
            self.touched = ops if self.touched is None else self.touched | ops

    def count(self, pass_name: str, what: str, amount: int = 1) -> None:
        key = (pass_name, what)
        self.statistics[key] = self.statistics.get(key, 0) + amount


class PassOption(Generic[T]):
    """A declared option: its key on the command line, its default, how its text is read, and help."""

    __slots__ = ("choices", "default", "help", "is_list", "key", "name", "read")

    def __init__(
        self,
        key: str,
        default: T,
        help: str,
        read: Callable[[str], Any],
        is_list: bool = False,
        choices: Sequence[str] = (),
    ):
        self.key = key
        self.default = default
        self.help = help
        self.read = read
        self.is_list = is_list
        self.choices = tuple(choices)
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> PassOption[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        value = instance.option_values.get(self.key, self.default)
        return list(value) if self.is_list else value


def _read_flag(text: str) -> bool:
    if text.lower() in ("", "true", "1"):
        return True
    if text.lower() in ("false", "0"):
        return False
    raise ValueError(f"'{text}' is invalid value for boolean argument! Try 0 or 1")


def _read_integer(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise ValueError(f"'{text}' value invalid for integer argument!") from None


_ELEMENT = lazy_pattern(r"(?:[^,(){}]|\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\})+")
"""An element of a list; it may be a pipeline with commas in parentheses."""


def flag(key: str, help: str, default: bool = False) -> PassOption[bool]:
    return PassOption(key, default, help, _read_flag)


def number(key: str, default: int, help: str) -> PassOption[int]:
    return PassOption(key, default, help, _read_integer)


def text(key: str, help: str, default: str = "") -> PassOption[str]:
    return PassOption(key, default, help, str)


def choice(key: str, choices: Sequence[str], default: str, help: str) -> PassOption[str]:
    def read(value: str) -> str:
        if value not in choices:
            raise ValueError(f"Cannot find option named '{value}'!")
        return value

    return PassOption(key, default, help, read, choices=choices)


def names(key: str, help: str) -> PassOption[list[str]]:
    """A comma-separated list."""
    return PassOption(key, [], help, str, is_list=True)


Stayed = Callable[[Value, str, Operation | None], object]
"""Called with an allocation that a pass leaves alone, the reason in words, and the operation responsible."""


class Pass:
    """Base of all passes."""

    name: ClassVar[str]
    summary: ClassVar[str]
    on: ClassVar[str] = "builtin.module"
    """The operation the pass runs on: "builtin.module", "func.func", or "any"."""
    aliases: ClassVar[dict[str, str]] = {}
    """Former names of options."""
    not_in_mlir: ClassVar[frozenset[str]] = frozenset()
    """The keys of options that `mlir-opt`'s pass of the same name lacks."""

    def __init__(self, **options: Any):
        """A pass with options by Python field name. Raises TypeError for unknown ones."""
        declared = self.declared_options()
        by_name = {option.name: option for option in declared.values()}
        self.option_values: dict[str, Any] = {}
        for name, value in options.items():
            if name not in by_name:
                raise TypeError(f"pass '{self.name}' has no option '{name}'")
            self.option_values[by_name[name].key] = value

    @classmethod
    def declared_options(cls) -> dict[str, PassOption[Any]]:
        """The declared options by their command-line key."""
        found: dict[str, PassOption[Any]] = {}
        for base in reversed(cls.__mro__):
            for value in vars(base).values():
                if isinstance(value, PassOption):
                    found[value.key] = value
        return found

    def set_option(self, key: str, value: str) -> None:
        """Set an option from text.

        Raises:
            PassFailed: there is no such option, or the text is not a valid value.
        """
        key = self.aliases.get(key, key)
        option = self.declared_options().get(key)
        if option is None:
            gone = retired_option(self.name, key)
            raise PassFailed(f"<Pass-Options-Parser>: {gone or f'no such option {key}'}")
        try:
            inner = value[1:-1] if value.startswith("{") and value.endswith("}") else value
            if option.is_list:
                self.option_values[key] = [
                    option.read(part.strip()) for part in _ELEMENT.findall(inner) if part.strip()
                ]
            else:
                self.option_values[key] = option.read(inner)
        except ValueError as failure:
            raise PassFailed(f"<Pass-Options-Parser>: for the {key} option: {failure}") from None

    def parts(self) -> Sequence[Pass]:
        """The passes that a composite pass runs in sequence; empty for all others."""
        return ()

    def run(self, op: Operation, context: Context) -> None:
        """Transform `op`.

        Raises:
            PassFailed: the program does not meet the pass's preconditions; it may have been partially changed.
        """
        raise NotImplementedError


PASSES: dict[str, tuple[str, str]] = {
    "arith-bufferize": ("partial.passes", "ArithBufferize"),
    "buffer-placement-preparation": ("preparation", "BufferPlacementPreparation"),
    "bufferization-bufferize": ("partial.passes", "BufferizationBufferize"),
    "finalizing-bufferize": ("partial.passes", "FinalizingBufferize"),
    "func-bufferize": ("partial.passes", "FuncBufferize"),
    "linalg-bufferize": ("partial.passes", "LinalgBufferize"),
    "scf-bufferize": ("partial.passes", "ScfBufferize"),
    "shape-bufferize": ("partial.passes", "ShapeBufferize"),
    "tensor-bufferize": ("partial.passes", "TensorBufferize"),
    "tensor-constant-bufferize": ("partial.passes", "TensorConstantBufferize"),
    "vector-bufferize": ("partial.passes", "VectorBufferize"),
    "buffer-deallocation-pipeline": (
        "freeing.ownership_based_buffer_deallocation",
        "BufferDeallocationPipeline",
    ),
    "buffer-deallocation-simplification": (
        "freeing.buffer_deallocation_simplification",
        "BufferDeallocationSimplification",
    ),
    "bufferization-lower-deallocations": (
        "freeing.bufferization_lower_deallocations",
        "BufferizationLowerDeallocations",
    ),
    "expand-realloc": ("convert_bufferization_to_memref", "ExpandRealloc"),
    "optimize-allocation-liveness": ("freeing.buffer_reuse", "OptimizeAllocationLiveness"),
    "ownership-based-buffer-deallocation": (
        "freeing.ownership_based_buffer_deallocation",
        "OwnershipBasedBufferDeallocation",
    ),
    "copy-removal": ("copy_removal", "CopyRemoval"),
    "buffer-deallocation": ("freeing.buffer_deallocation", "BufferDeallocation"),
    "buffer-reuse": ("freeing.buffer_reuse", "BufferReuse"),
    "buffer-deallocation-static": ("freeing.buffer_deallocation_static", "BufferDeallocationStatic"),
    "buffer-hoisting": ("buffer_optimizations", "BufferHoisting"),
    "buffer-loop-hoisting": ("buffer_optimizations", "BufferLoopHoisting"),
    "rematerialize": ("plan_memory", "RematerializeUnderBudget"),
    "schedule-for-memory": ("plan_memory", "ScheduleForMemory"),
    "plan-memory": ("plan_memory", "PlanMemory"),
    "promote-buffers-to-stack": ("buffer_optimizations", "PromoteBuffersToStack"),
    "canonicalize": ("canonicalize", "Canonicalize"),
    "cse": ("cse", "Cse"),
    "convert-elementwise-to-linalg": ("convert_to_linalg", "ConvertElementwiseToLinalg"),
    "convert-linalg-to-loops": ("convert_linalg_to_loops", "ConvertLinalgToLoops"),
    "convert-linalg-to-affine-loops": ("convert_linalg_to_loops", "ConvertLinalgToAffineLoops"),
    "convert-scf-to-cf": ("convert_scf_to_cf", "ConvertScfToCf"),
    "convert-tensor-to-linalg": ("convert_to_linalg", "ConvertTensorToLinalg"),
    "lower-affine": ("lower_affine", "LowerAffine"),
    "linalg-generalize-named-ops": ("convert_to_linalg", "LinalgGeneralizeNamedOps"),
    "resolve-shaped-type-result-dims": ("memref_passes", "ResolveShapedTypeResultDims"),
    "resolve-ranked-shaped-type-result-dims": ("memref_passes", "ResolveRankedShapedTypeResultDims"),
    "convert-linalg-to-parallel-loops": ("convert_linalg_to_loops", "ConvertLinalgToParallelLoops"),
    "fold-memref-alias-ops": ("memref_passes", "FoldMemrefAliasOps"),
    "inline": ("inline", "Inline"),
    "loop-invariant-code-motion": ("buffer_optimizations", "LoopInvariantCodeMotion"),
    "symbol-dce": ("symbol_dce", "SymbolDce"),
    "test-tensor-copy-insertion": ("one_shot_bufferize", "TestTensorCopyInsertion"),
    "one-shot-bufferize": ("one_shot_bufferize", "OneShotBufferize"),
    "buffer-results-to-out-params": ("buffer_results_to_out_params", "BufferResultsToOutParams"),
    "convert-bufferization-to-memref": ("convert_bufferization_to_memref", "ConvertBufferizationToMemref"),
    "drop-equivalent-buffer-results": ("buffer_results_to_out_params", "DropEquivalentBufferResults"),
    "eliminate-empty-tensors": ("eliminate_empty_tensors", "EliminateEmptyTensors"),
    "empty-tensor-to-alloc-tensor": ("eliminate_empty_tensors", "EmptyTensorToAllocTensor"),
    "keep-arguments": ("buffer_results_to_out_params", "KeepArguments"),
    "reorder-to-save-copies": ("reorder_to_save_copies", "ReorderToSaveCopies"),
}
"""Pass name to (module of this package, class)."""


def find_pass(name: str) -> type[Pass] | None:
    """The class of the pass called `name` (with or without leading dashes); None if there is none."""
    entry = PASSES.get(name.lstrip("-"))
    if entry is None:
        return None
    module = importlib.import_module(f".{entry[0]}", __package__)
    found = getattr(module, entry[1], None)
    if found is None:
        raise LookupError(
            f"transforms/pass_base.py: '{name}' is to be '{entry[1]}' of transforms/{entry[0]}.py, which has none"
        )
    return found


def all_passes() -> list[type[Pass]]:
    """Every pass, sorted by name. Imports them all."""
    return [cls for name in sorted(PASSES) if (cls := find_pass(name)) is not None]
