"""In-place decisions with the fewest bytes copied, and proofs that no decisions copy fewer."""
