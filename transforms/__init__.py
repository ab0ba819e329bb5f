"""Passes and other rewrites. `pass_base` has the base class of passes and lists them by name, `pass_manager` runs pipelines.

Begin with `one_shot_bufferize`.
"""
