"""What is said of functions that cannot be converted, and that they are left as they were."""

import bufferize
import pytest
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.ir.types import types as t
from bufferize.transforms.conversion import ConversionTarget, TypeConverter, apply_full_conversion
from bufferize.transforms.conversion.structure import ConvertFunction

I32 = t.IntegerType(32)


@pytest.mark.parametrize(
    "text",
    [
        "func.func private @f(i64) -> i32",
        "func.func private @f(i32) -> i64",
        'func.func @f(%a: i64) {\n  %0 = "a.make"() : () -> i32\n  cf.br ^bb1(%0 : i32)\n^bb1(%1: i32):\n  return\n}',
    ],
)
def test_a_function_whose_types_nobody_converts_is_not_legal(text):
    converter = TypeConverter()
    converter.add_conversion(lambda type: None if type is I32 else type)
    module = bufferize.parse(text, allow_unregistered=True)
    before = str(module)
    legal = ConversionTarget()
    legal.add_legal_ops("builtin.module", "func.return", "a.make", "cf.br")
    legal.add_dynamically_legal_ops(lambda op: "i32" not in str(op), "func.func")
    with pytest.raises(PassFailed, match=r"failed to legalize operation 'func\.func'"):
        apply_full_conversion(module, legal, [ConvertFunction(converter)])
    assert str(module) == before
