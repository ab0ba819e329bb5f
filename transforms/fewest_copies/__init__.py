"""Preparation for fewest-copies: rematerialization, dead init elimination and destination passing.

Begin with `prepare`, which applies the others in order.
"""
