"""Where allocations go: out of branches, out of loops, onto the stack."""
