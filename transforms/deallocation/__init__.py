"""What surrounds ownership-based deallocation: what runs before it, and what turns its result into plain frees."""
