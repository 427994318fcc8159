"""canonicalize."""
