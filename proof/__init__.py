"""Proofs that a program on buffers is equivalent to its tensor form; see `prove`."""
