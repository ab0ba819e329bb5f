"""The function that lowered deallocations of several buffers call: which of them to free, and who owns what is retained.

It compares addresses: a buffer is freed if its condition holds, no retained buffer has its address, and none before
it in the list has. A retained buffer is owned if some buffer in the list has its address and a condition that holds.

Where a buffer may be listed twice, and only its second condition holds, none before it in the list *with a condition
that holds* may have its address: the careful form of the function asks for that condition too.
"""

from __future__ import annotations

from functools import cache

from ....ir.program.core import Operation
from ....ir.program.symbols import SymbolTable
from ....ir.source.places import Source
from ....ir.text.parser import DocumentParser
from ....ir.text.registry import default_registry

NAME = "dealloc_helper"

_TEXT = f"""
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
      <CAREFUL>
      %still = arith.andi %none, %differs : i1
      scf.yield %still : i1
    }}
    %free = arith.andi %first, %condition : i1
    memref.store %free, %to_free[%i] : memref<?xi1>
  }}
  return
}}
"""


_PLAIN = _TEXT.replace("      <CAREFUL>\n", "")
_CAREFUL = _TEXT.replace(
    """<CAREFUL>
      %still = arith.andi %none, %differs : i1""",
    """%earlier = memref.load %conditions[%k] : memref<?xi1>
      %not_freed = arith.xori %earlier, %true : i1
      %may_be = arith.ori %differs, %not_freed : i1
      %still = arith.andi %none, %may_be : i1""",
)


@cache
def _definition(careful: bool) -> Operation:
    source = Source("<dealloc_helper>", _CAREFUL if careful else _PLAIN)
    function = next(op for op in DocumentParser(source, default_registry(), False).parse().regions[0].ops())
    for op in function.walk():
        op.where = None
    return function


def add_helper(table: SymbolTable, careful: bool) -> str:
    """Add the function, in its plain or its careful form, at the end of a symbol table; the name it got there."""
    return table.insert(_definition(careful).clone())
