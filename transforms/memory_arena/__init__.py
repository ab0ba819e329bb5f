"""One arena for the buffers of a function: offsets, sizes, views."""
