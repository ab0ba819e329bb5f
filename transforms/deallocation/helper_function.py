"""The function that lowered deallocations of several buffers call: which of them to free, and who owns what is retained.

It compares addresses: a buffer is freed if its condition holds, no retained buffer has its address, and none before
it in the list has. A retained buffer is owned if some buffer in the list has its address and a condition that holds.
"""

from __future__ import annotations

from functools import cache

from ...ir.program.core import Operation
from ...ir.program.symbols import SymbolTable
from ...ir.source.places import Source
from ...ir.text.parser import DocumentParser
from ...ir.text.registry import default_registry

NAME = "dealloc_helper"

TEXT = f"""
func.func private @{NAME}(%buffers: memref<?xindex>, %retained: memref<?xindex>, %conditions: memref<?xi1>,
                          %to_free: memref<?xi1>, %owned: memref<?xi1>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %count = memref.dim %buffers, %c0 : memref<?xindex>
  %retained_count = memref.dim %retained, %c0 : memref<?xindex>
  scf.for %i = %c0 to %retained_count step %c1 {{
    memref.store %false, %owned[%i] : memref<?xi1>
  }}
  scf.for %i = %c0 to %count step %c1 {{
    %address = memref.load %buffers[%i] : memref<?xindex>
    %condition = memref.load %conditions[%i] : memref<?xi1>
    %not_retained = scf.for %k = %c0 to %retained_count step %c1 iter_args(%none = %true) -> (i1) {{
      %other = memref.load %retained[%k] : memref<?xindex>
      %same = arith.cmpi eq, %other, %address : index
      scf.if %same {{
        %before = memref.load %owned[%k] : memref<?xi1>
        %after = arith.ori %before, %condition : i1
        memref.store %after, %owned[%k] : memref<?xi1>
      }}
      %differs = arith.cmpi ne, %other, %address : index
      %still = arith.andi %none, %differs : i1
      scf.yield %still : i1
    }}
    %first = scf.for %k = %c0 to %i step %c1 iter_args(%none = %not_retained) -> (i1) {{
      %other = memref.load %buffers[%k] : memref<?xindex>
      %differs = arith.cmpi ne, %other, %address : index
      %still = arith.andi %none, %differs : i1
      scf.yield %still : i1
    }}
    %free = arith.andi %first, %condition : i1
    memref.store %free, %to_free[%i] : memref<?xi1>
  }}
  return
}}
"""


@cache
def _definition() -> Operation:
    parser = DocumentParser(Source("<dealloc_helper>", TEXT), default_registry(), False)
    function = next(op for op in parser.parse().regions[0].ops())
    for op in function.walk():
        op.where = None
    return function


def add_helper(table: SymbolTable) -> str:
    """Add the function at the end of a symbol table; the name it got there."""
    return table.insert(_definition().clone())
