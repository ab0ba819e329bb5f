"""Memory planning: offsets in one arena for buffers with known live ranges, with bounds on the optimum."""
