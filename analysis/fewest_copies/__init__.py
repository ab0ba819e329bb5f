"""In-place decisions with the fewest bytes copied, and proofs that no decisions copy fewer.

Begin with `choose`, which decides one function: `problem` extracts a graph of values and conflicts, `search` solves it.
"""
