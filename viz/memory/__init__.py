"""Memory plans as text, JSON, SVG and traces."""
