"""Conversions from and to the programs of other Python compilers."""
