"""One arena for the buffers of a function: offsets, sizes, views.

Begin with `functions`, which emits layouts; `reorder` and `tensors` lower the peak before.
"""
