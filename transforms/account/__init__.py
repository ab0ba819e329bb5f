"""The account of a program: every allocation, copy, clone, reallocation and free in it, with its cause.

`makers` makes these operations, and takes the cause as an argument; nothing else in `transforms/` makes any. `movements`
collects what a program has. `twins` tells of a program that was copied and rewritten what its causes are about in the original.
"""
