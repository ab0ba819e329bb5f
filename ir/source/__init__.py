"""Source text, locations in it, and diagnostics."""
