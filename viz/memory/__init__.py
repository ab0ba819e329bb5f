"""Plans of memory as text, JSON, SVG, and traces."""
