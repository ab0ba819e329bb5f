"""Models: which buffers each operation reads, writes and aliases.

Begin with `base.Model`, the questions and their defaults. A dialect's module has the table `MODELS`; `registry` finds them.
"""
