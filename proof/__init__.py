"""Proof that a program on buffers does what its tensors said: see `prove`."""
