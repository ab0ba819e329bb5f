"""Legacy operation names and syntax, upgraded to today's: `func`, `cond_br`, `dim`, `std.addf`.

Until 2021 most operations belonged to the standard dialect and were written without a prefix. They have since
moved, with the same syntax, to `arith`, `math`, `cf`, `func`, `memref` and `tensor`. A name that is now ambiguous,
depending on the type of its operand, maps to all candidates in the order in which to try them: `dim` of a
memref or of a tensor. Operations whose syntax changed as well are handled by their own parsers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..ir.declaration.constraints import ANY_TYPE
from ..ir.declaration.declare import variadic_operand
from ..ir.program.interfaces import Effect, MemoryEffectOp

if TYPE_CHECKING:
    from ..ir.text.op_parser import OpParser, ParsedOp

_ARITH = """
    addf subf mulf divf remf negf addi subi muli shli cmpi cmpf constant
    select sitofp uitofp fptosi fptoui index_cast bitcast trunci andi ori xori maxsi minsi maxui minui
    """.split()
_MEMREF = """
    alloc alloca alloca_scope dealloc store copy subview transpose view
    reinterpret_cast get_global global_memref prefetch dma_start dma_wait assume_alignment
    """.split()
_MATH = """
    absf atan atan2 ceilf copysign cos exp exp2 floorf fmaf log log10 log1p log2 rsqrt sin sqrt tanh powf
    """.split()

LEGACY: Final[dict[str, tuple[str, ...]]] = {
    **{name: (f"arith.{name}",) for name in _ARITH},
    **{name: (f"math.{name}",) for name in _MATH},
    **{name: (f"memref.{name}",) for name in _MEMREF},
    "func": ("func.func",),
    "call": ("func.call",),
    "call_indirect": ("func.call_indirect",),
    "return": ("func.return",),
    "br": ("cf.br",),
    "cond_br": ("cf.cond_br",),
    "switch": ("cf.switch",),
    "assert": ("cf.assert",),
    "constant": ("arith.constant", "func.constant"),
    # renamed
    "absf": ("math.absf",),
    "ceilf": ("math.ceil",),
    "floorf": ("math.floor",),
    "fmaf": ("math.fma",),
    "divi_signed": ("arith.divsi",),
    "divi_unsigned": ("arith.divui",),
    "signed_divi": ("arith.divsi",),
    "unsigned_divi": ("arith.divui",),
    "signed_ceildivi": ("arith.ceildivsi",),
    "signed_floordivi": ("arith.floordivsi",),
    "remi_signed": ("arith.remsi",),
    "remi_unsigned": ("arith.remui",),
    "signed_remi": ("arith.remsi",),
    "unsigned_remi": ("arith.remui",),
    "and": ("arith.andi",),
    "or": ("arith.ori",),
    "xor": ("arith.xori",),
    "shift_left": ("arith.shli",),
    "shift_right_signed": ("arith.shrsi",),
    "shift_right_unsigned": ("arith.shrui",),
    "fpext": ("arith.extf",),
    "fptrunc": ("arith.truncf",),
    "sexti": ("arith.extsi",),
    "zexti": ("arith.extui",),
    "maxf": ("arith.maximumf",),
    "minf": ("arith.minimumf",),
    "global_memref": ("memref.global",),
    # ambiguous names
    "dim": ("memref.dim", "tensor.dim"),
    "rank": ("memref.rank", "tensor.rank"),
    "load": ("memref.load",),
    "memref_cast": ("memref.cast",),
    "memref_reshape": ("memref.reshape",),
    "memref_reinterpret_cast": ("memref.reinterpret_cast",),
    "tensor_cast": ("tensor.cast",),
    "tensor_load": ("bufferization.to_tensor",),
    "tensor_store": ("memref.tensor_store",),
    "tensor_to_memref": ("bufferization.to_buffer",),
    "buffer_cast": ("bufferization.to_buffer",),
    "extract_element": ("tensor.extract", "vector.extract"),
    "tensor_from_elements": ("tensor.from_elements",),
    "dynamic_tensor_from_elements": ("tensor.generate",),
    "subtensor": ("tensor.extract_slice",),
    "subtensor_insert": ("tensor.insert_slice",),
    "splat": ("vector.splat", "tensor.splat"),
    "clone": ("bufferization.clone",),
    "use": ("legacy.use",),
    # obsolete dialect prefixes
    "memref.clone": ("bufferization.clone",),
    "memref.buffer_cast": ("bufferization.to_buffer",),
    "memref.tensor_load": ("bufferization.to_tensor",),
    "tensor.subtensor": ("tensor.extract_slice",),
    "loop.for": ("scf.for",),
    "loop.if": ("scf.if",),
    "loop.parallel": ("scf.parallel",),
    "loop.reduce": ("scf.reduce",),
    "loop.reduce.return": ("scf.reduce.return",),
    "loop.yield": ("scf.yield",),
}


class UseOp(MemoryEffectOp):
    """`use(%buffer)` in examples of that time: an opaque operation that reads and writes buffers."""

    name = "legacy.use"
    values = variadic_operand(ANY_TYPE)

    @classmethod
    def parse(cls, p: OpParser, state: ParsedOp) -> None:
        at = p.skip()
        uses = p.bracketed_operands()
        for use in uses:
            type = p.type_of(use)
            if type is None:
                p.error("use of a value that is not defined yet", at)
            state.operands.append(p.resolve(use, type))

    def memory_effects(self) -> list[Effect]:
        return [Effect(kind, value) for value in self.operands for kind in ("read", "write")]


def resolve(name: str) -> tuple[str, ...]:
    """The full names that `name` may refer to today, most likely first; empty if unknown.

    `std.NAME` is treated as NAME.
    """
    found = LEGACY.get(name)
    if found is None and name.startswith("std."):
        found = LEGACY.get(name[4:])
    if found is None and name.startswith("custom.region_if"):
        return ("test." + name[len("custom.") :],)  # an example operation with regions in the documentation
    return found or ()
