"""Ownership at each point of a function, and so where each buffer is freed: drop elaboration for memrefs.

`flow` makes one graph of blocks and regions; `owners` says which values may own and which only view; `needed` is
liveness; `elaborate` runs every extended block once with truth values for states; `equations` solves for those that loops and
joins leave open; `plan` is the outcome, which a transform carries out.

Of programs that free already, `outcomes` says what becomes of each buffer, and `leaks` which are freed never or on some paths only.
"""
