"""Prompts for chat models: versioned texts, the schema of a reply, and the passages worth asking about."""
