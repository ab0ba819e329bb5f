"""What the passes around ownership share: writing frees, clones and flags; making `bufferization.dealloc` smaller."""
