"""Static ownership analysis: where each buffer is freed (drop elaboration for memrefs).

`flow` builds one control-flow graph of blocks and regions; `owners` classifies values as owners or views; `needed` is
liveness of owners; `elaborate` runs every extended block once with Boolean formulas as ownership states; `equations` solves
for the formulas at loops and joins; `outcomes` has the resulting plan, which a transform executes.

For programs that free already, `outcomes` classifies the ownership outcome of each buffer, and `leaks` finds buffers that are
never freed, or on some paths only.
"""
