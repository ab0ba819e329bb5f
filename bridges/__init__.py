"""Conversions between this package's programs and those of other Python compilers: JAX, torch and xDSL.

Begin with `reading.read`; each library is imported only when it is used.
"""
