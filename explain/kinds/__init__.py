"""The kinds of findings, one in each file. `KINDS` lists them in the order of the handbook."""

from __future__ import annotations

from .asked_for import AskedFor
from .carried_around_loop import CarriedAroundLoop
from .concatenation import Concatenation
from .deallocation_refused import DeallocationRefused
from .forbidden_by_rule import ForbiddenByRule
from .global_overwritten import GlobalOverwritten
from .global_store import GlobalStore
from .in_place import InPlace
from .insertion import Insertion
from .layout_mismatch import LayoutMismatch
from .loop_yield import LoopYield
from .loop_yields_other_buffer import LoopYieldsOtherBuffer
from .mlir_22_loses_data import Mlir22LosesData
from .nested_module import NestedModule
from .no_destination import NoDestination
from .not_bufferizable import NotBufferizable
from .not_contiguous import NotContiguous
from .not_measured import NotMeasured
from .not_owned import NotOwned
from .not_proved_fewest import NotProvedFewest
from .not_writable import NotWritable
from .padding import Padding
from .parallel_region import ParallelRegion
from .read_after_write import ReadAfterWriteCopy
from .rewrite_buffer import RewriteBuffer
from .unknown_operation import UnknownOperation
from .unused_facts import UnusedFacts

KINDS = (
    ReadAfterWriteCopy,
    CarriedAroundLoop,
    NotWritable,
    ParallelRegion,
    ForbiddenByRule,
    UnknownOperation,
    NoDestination,
    Insertion,
    Concatenation,
    Padding,
    GlobalStore,
    LoopYield,
    GlobalOverwritten,
    LayoutMismatch,
    NotContiguous,
    NotOwned,
    AskedFor,
    RewriteBuffer,
    LoopYieldsOtherBuffer,
    NotBufferizable,
    NestedModule,
    DeallocationRefused,
    Mlir22LosesData,
    NotProvedFewest,
    NotMeasured,
    UnusedFacts,
    InPlace,
)

__all__ = ["KINDS"]
