"""extraction/readers."""
