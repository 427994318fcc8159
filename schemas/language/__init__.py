"""schemas/language."""
