"""Reads a whole question with a grammar over the words of a schema: a memoised chart with a beam per span."""
