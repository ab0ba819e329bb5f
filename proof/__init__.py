"""Proofs that a program on buffers is equivalent to its tensor form.

Begin with `check.prove_modules`: `machine` executes both programs symbolically, `observables` compares what can be observed.
"""
