"""Source text, locations in it, and diagnostics.

Begin with `diagnostics.Diagnostic`, which is data, and `locations.Source`.
"""
