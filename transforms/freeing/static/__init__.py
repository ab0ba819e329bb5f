"""Carrying out a plan of `analysis.freeing`: flags that travel, frees, guards, copies of what is returned."""
