"""Preparations that save copies: cheap values are rematerialized, and a value that is inserted into a tensor is computed in place there."""
