"""Preparations that save copies: what is cheap is made again, what goes into a part of something is computed there."""
