"""Read-only Cypher: text to syntax tree and back."""
