"""`gradient`: Catalyst's derivatives of functions, before they are lowered."""

from __future__ import annotations

from ..ir.declaration import constraints as c
from ..ir.declaration.declare import attribute, optional_operand, variadic_operand, variadic_result
from ..ir.program import traits as tr
from ..ir.program.core import Operation


class GradOp(Operation):
    """The derivatives of a function with respect to some arguments."""

    name = "gradient.grad"
    method = attribute(c.STRING_ATTR)
    callee = attribute(c.SYMBOL_REF_ATTR)
    arguments = variadic_operand()
    derivatives = variadic_result()
    assembly_format = "$method $callee `(` $arguments `)` attr-dict `:` functional-type($arguments, results)"


class AdjointOp(Operation):
    """The derivatives of a circuit, by the adjoint method."""

    name = "gradient.adjoint"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS,)
    callee = attribute(c.SYMBOL_REF_ATTR)
    gradient_size = optional_operand(c.INDEX)
    arguments = variadic_operand()
    data_in = variadic_operand()
    derivatives = variadic_result()
    assembly_format = (
        "$callee `(` $arguments `)` (`size` `(` $gradient_size^ `)`)? (`in` `(` $data_in^ `:` type($data_in) `)`)?"
        " attr-dict `:` functional-type($arguments, results)"
    )


class BackpropOp(Operation):
    """The product of cotangents and the derivatives of a classical function."""

    name = "gradient.backprop"
    traits = (tr.ATTR_SIZED_OPERAND_SEGMENTS, tr.ATTR_SIZED_RESULT_SEGMENTS)
    callee = attribute(c.SYMBOL_REF_ATTR)
    arguments = variadic_operand()
    diff_arg_shadows = variadic_operand()
    callee_results = variadic_operand()
    cotangents = variadic_operand()
    values = variadic_result()
    gradients = variadic_result()
    assembly_format = (
        "$callee `(` $arguments `)` `cotangents` `(` $cotangents `:` type($cotangents) `)`"
        " attr-dict `:` functional-type($arguments, results)"
    )
