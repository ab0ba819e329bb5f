"""Ownership-based buffer deallocation: who must free a buffer travels with it, as an `i1` where it is not known statically.

* `state`: what is known while blocks are rewritten: who owns what, and what each block must free.
* `order`: the order in which values stand in the lists of a `bufferization.dealloc`.
* `checks`: the programs that are not supported.
* `effects`, `regions`, `calls`, `terminators`: what each kind of operation does to ownership.
* `blocks`: the walk over a function that puts them together.
"""
