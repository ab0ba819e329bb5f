"""Runs programs, on tensors or on a heap that checks every access; and verifies passes by running programs before and after.

Begin with `machine.Machine`, which calls a handler per operation; `verify` compares two programs, `fuzz` makes random ones.
"""
