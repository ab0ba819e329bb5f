"""Dialect conversion: rewrites a program to a target's legal operations and types, all or nothing.

The public names: a `TypeConverter` maps types, a `ConversionTarget` says what is legal, patterns rewrite the rest;
`apply_partial_conversion` and `apply_full_conversion` drive them.
"""

from .driver import (
    ConversionPattern as ConversionPattern,
    ConversionTarget as ConversionTarget,
    apply_full_conversion as apply_full_conversion,
    apply_partial_conversion as apply_partial_conversion,
    pattern as pattern,
)
from .rewriter import ConversionRewriter as ConversionRewriter
from .type_converter import (
    NO_CONVERSION as NO_CONVERSION,
    SignatureConversion as SignatureConversion,
    TypeConverter as TypeConverter,
)
