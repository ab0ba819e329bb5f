"""One-Shot analysis: which operands share a buffer with their results, decided one at a time from reads, writes and aliases.

Begin with `analyze.analyze`; its `result` is what other packages query, and `plan` lists the copies that follow.
"""
