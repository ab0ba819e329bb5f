"""Dialect conversion: from one set of operations and types to another, all or nothing.

What a user names is here: a `TypeConverter` says what becomes of types, a `ConversionTarget` what may stay, patterns how
to get there; `apply_partial_conversion` and `apply_full_conversion` do it.
"""

from .driver import apply_full_conversion, apply_partial_conversion
from .rewriter import ConversionRewriter
from .target import ConversionPattern, ConversionTarget, pattern
from .type_converter import NO_CONVERSION, SignatureConversion, TypeConverter

__all__ = [
    "NO_CONVERSION",
    "ConversionPattern",
    "ConversionRewriter",
    "ConversionTarget",
    "SignatureConversion",
    "TypeConverter",
    "apply_full_conversion",
    "apply_partial_conversion",
    "pattern",
]
