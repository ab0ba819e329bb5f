"""What analysis costs: growing programs, phase by phase, beside peers where they are installed."""
