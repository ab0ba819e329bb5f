"""Preparation for fewest-copies: rematerialization and destination passing."""
