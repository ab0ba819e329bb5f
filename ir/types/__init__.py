"""Types and attributes: immutable, uniqued, equal means identical.

Begin with `types.Type` and `attributes.Attribute`.
"""
