"""Deciding with as few bytes copied as possible, and proving that no choice copies fewer."""
