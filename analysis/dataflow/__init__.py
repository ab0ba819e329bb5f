"""Dataflow analysis: one graph of program points, one solver, and the analyses built on them.

    graph            control flow of a whole program, through blocks, regions and calls
    framework        base classes of analyses: lattice, transfer function, boundary state
    solver           the worklist solver
    why              the transfers and joins that produced a state
    integer_ranges, clients    the analyses that come with the project
    catalog          these analyses by name, and user-defined ones from a file, for the command line

`docs/analyses.md` shows how to write one.
"""

from ..fixpoint import BACKWARD, FORWARD
from .dense import DenseSolution
from .framework import DenseAnalysis, EdgeAnalysis, NoConvergenceError, SparseAnalysis
from .graph import EdgeKind, FlowEdge, FlowGraph, Segment, flow_graph
from .solver import Solver, SparseSolution, solve
from .why import StateReason, why

__all__ = [
    "BACKWARD",
    "FORWARD",
    "DenseAnalysis",
    "DenseSolution",
    "EdgeAnalysis",
    "EdgeKind",
    "FlowEdge",
    "FlowGraph",
    "NoConvergenceError",
    "Segment",
    "Solver",
    "SparseAnalysis",
    "SparseSolution",
    "StateReason",
    "flow_graph",
    "solve",
    "why",
]
