"""Lint: defects of a program that a pipeline left behind.

Begin with `lint.lint`; `findings` and `lifetime_findings` have one class per finding.
"""
