"""Conversions between this package's programs and those of other Python compilers."""
