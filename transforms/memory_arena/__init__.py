"""From the lives of a function's buffers to one arena for them: offsets, sizes, views."""
