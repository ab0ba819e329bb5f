"""Operation declarations: fields, traits and one assembly format yield accessors, parser, printer and verifier.

Begin with `declare`.
"""
