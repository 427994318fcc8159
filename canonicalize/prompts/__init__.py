"""Versioned prompts of the judge."""
