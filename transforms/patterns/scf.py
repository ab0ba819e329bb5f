"""Canonicalization of `scf`: the patterns of each operation, in order. They live in the modules named `scf_...`."""

from __future__ import annotations

from typing import Final

from ...dialects import scf
from .region_branch import REGION_BRANCH_PATTERNS
from .scf_branches import EXECUTE_REGION_PATTERNS, INDEX_SWITCH_PATTERNS
from .scf_if import IF_PATTERNS
from .scf_loops import FOR_PATTERNS
from .scf_parallel import FORALL_PATTERNS, PARALLEL_PATTERNS
from .scf_while import LATE_WHILE_PATTERNS, WHILE_PATTERNS

PATTERNS: Final = {
    scf.ExecuteRegionOp: EXECUTE_REGION_PATTERNS,
    scf.ForOp: (*FOR_PATTERNS, *REGION_BRANCH_PATTERNS),
    scf.ForallOp: FORALL_PATTERNS,
    scf.IfOp: (*IF_PATTERNS, *REGION_BRANCH_PATTERNS),
    scf.IndexSwitchOp: (*INDEX_SWITCH_PATTERNS, *REGION_BRANCH_PATTERNS),
    scf.ParallelOp: PARALLEL_PATTERNS,
    scf.WhileOp: (*WHILE_PATTERNS, *REGION_BRANCH_PATTERNS, *LATE_WHILE_PATTERNS),
}
