"""Rewrites operations on tensors to operations on buffers, as the plan of the analysis says.

Begin with `driver`; a dialect's module `rewrite_<dialect>` has the table `REWRITES`.
"""
