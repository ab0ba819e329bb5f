"""Dialect conversion: rewrites a program to a target's legal operations and types, all or nothing.

The public names: a `TypeConverter` maps types, a `ConversionTarget` says what is legal, patterns rewrite the rest;
`apply_partial_conversion` and `apply_full_conversion` drive them.
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
