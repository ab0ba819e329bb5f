"""Types and attributes: immutable, uniqued, equal means identical."""
