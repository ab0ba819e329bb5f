"""`-plan-memory`: the heap buffers of a function become views of one arena.

    func.func @f() {                              func.func @f() {
      %a = memref.alloc() : memref<16xf32>          %c0 = arith.constant 0 : index
      use(%a)                                       %arena = memref.alloc() {alignment = 16} : memref<64xi8>
      memref.dealloc %a : memref<16xf32>            %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
      %b = memref.alloc() : memref<16xf32>    =>    use(%a)
      use(%b)                                       %b = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
      memref.dealloc %b : memref<16xf32>            use(%b)
      return                                        memref.dealloc %arena : memref<64xi8>
    }                                               return
                                                  }

When buffers are alive, and which of them can be planned, says `analysis.memory_plan.lives`; where they lie, `layout`. Frees of what
was planned go. There is one arena for each memory space. Functions are done callees first: what a callee needs is a place in its
caller's arena, alive during the call, where the size is known and calls do not recurse; it gets it as one more argument.
"""

from __future__ import annotations

from typing import ClassVar

from ..dialects import func
from ..ir.program.core import Operation
from .memory_arena.functions import ArenaOptions, Arenas
from .memory_arena.reorder import reorder
from .pass_base import Context, Pass, choice, flag, number


class PlanMemory(Pass):
    """Run it behind deallocation: what is not planned keeps its frees, and the arena is freed where the function returns.

    With `arena=argument` every function takes its arenas as its last arguments, as bytes, aligned as `alignment` of the
    buffers asks; where their size is not known before the run, `@f_arena_size` computes it from the arguments of `@f`.
    Private functions take theirs as arguments in any case, if all their calls are known.
    O(operations), and what planning takes (`planner.plan`).
    """

    name: ClassVar[str] = "plan-memory"
    summary: ClassVar[str] = "give all buffers of a function a place in one arena"

    arena = choice("arena", ("allocate", "argument"), "allocate", "where arenas come from")
    alignment = number("alignment", 16, "of buffers that do not ask for one")
    assume = number("assume", 64, "what unknown extents are taken to be in choosing the order of buffers")
    reorder = flag("reorder", "move operations first, where dataflow allows and the peak gets lower")
    mark = choice("mark", ("none", "lives"), "none", "mark where lives begin, for the interpreter to check")

    def run(self, op: Operation, context: Context) -> None:
        arenas = Arenas(
            op, ArenaOptions(self.arena == "argument", self.alignment, self.assume, self.mark == "lives")
        )
        for function in arenas.callees_first():
            assert isinstance(function, func.FuncOp)
            if self.reorder:
                context.count(self.name, "reordered", reorder(function, self.assume))
            planned = arenas.plan(function)
            context.count(self.name, "planned", planned)
