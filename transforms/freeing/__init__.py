"""Deallocation passes, and the passes that lower deallocations.

* `buffer_deallocation_static`: frees decided at compile time (`analysis.freeing`).
* `ownership_based_buffer_deallocation`: MLIR's pass, with an `i1` ownership indicator per buffer; `ownership_state` is its walk,
  `ownership_flags` the rules for operations.
* `buffer_deallocation`: the older pass, which clones critical aliases.
* `buffer_deallocation_simplification`, `bufferization_lower_deallocations`: simplify and lower `bufferization.dealloc`.
* `buffer_reuse`: frees moved up to the last use; buffers reused instead of freed.
"""
