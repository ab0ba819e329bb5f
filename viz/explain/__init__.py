"""Telling a person why bufferization copies: from reasons and proofs to diagnostics."""
