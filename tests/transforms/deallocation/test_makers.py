"""What the functions of a program may return is made by them, or by those that they call."""

from bufferize.analysis.freeing.contracts import Contracts
from bufferize.analysis.freeing.outcomes import Makers
from bufferize.dialects.func import FuncOp
from bufferize.ir.program.symbols import SymbolTables
from bufferize.ir.text.parser import parse_text

M = "memref<4xf32>"


def test_what_functions_that_call_one_another_may_return_is_made_by_any_of_them():
    names = {"a": "b", "b": "c", "c": "a", "outer": "a"}
    made = {"a": "memref.alloc()", "b": "memref.alloca()", "c": "memref.alloc()", "outer": "memref.alloc()"}
    module = parse_text(
        "\n".join(
            f"func.func private @{name}(%c: i1) -> {M} {{\n  %m = {made[name]} : {M}\n"
            f"  %r = func.call @{called}(%c) : (i1) -> {M}\n  %s = arith.select %c, %m, %r : {M}\n  return %s : {M}\n}}"
            for name, called in names.items()
        )
    )
    makers = Makers(Contracts(SymbolTables(), module))
    functions = [op for op in module.walk() if isinstance(op, FuncOp)]
    for function in (functions[-1], *functions):
        assert {op.name for op in makers.of_function(function, 0)} == {"memref.alloc", "memref.alloca"}
