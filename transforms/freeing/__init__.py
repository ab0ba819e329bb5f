"""Deallocation passes, and the passes that lower deallocations.

* `buffer_deallocation_static`: decided at compile time (`analysis.freeing`); `static` writes it down.
* `ownership_based_buffer_deallocation`: an `i1` that travels with each buffer; `ownership` is its walk.
* `buffer_deallocation`: the older pass, which clones what it cannot place; `cloning` says what and where.
* `buffer_deallocation_pipeline`, `buffer_deallocation_simplification`, `bufferization_lower_deallocations`, `expand_realloc`:
  what surrounds the second one; `lowering` is what they share.
* `optimize_allocation_liveness`, `buffer_reuse`: frees moved up; buffers used again instead of freed.
"""
