"""Lint: defects of a program that a pipeline left behind."""
