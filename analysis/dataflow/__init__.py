"""Dataflow analysis: one graph of program points, one solver, and the analyses built on them.

    graph            control flow of a whole program, through blocks, regions and calls
    framework        base classes of analyses: lattice, transfer function, boundary state
    solver           the worklist solver
    why              the transfers and joins that produced a state
    integer_ranges, clients    the analyses that come with the project
    catalog          these analyses by name, and user-defined ones from a file, for the command line

`docs/analyses.md` shows how to write one.
"""

from ..fixpoint import BACKWARD as BACKWARD, FORWARD as FORWARD
from .dense import DenseSolution as DenseSolution
from .framework import (
    DenseAnalysis as DenseAnalysis,
    EdgeAnalysis as EdgeAnalysis,
    NoConvergenceError as NoConvergenceError,
    SparseAnalysis as SparseAnalysis,
)
from .graph import (
    EdgeKind as EdgeKind,
    FlowEdge as FlowEdge,
    FlowGraph as FlowGraph,
    Segment as Segment,
    flow_graph as flow_graph,
)
from .solver import Solver as Solver, SparseSolution as SparseSolution, solve as solve
from .why import StateReason as StateReason, why as why
