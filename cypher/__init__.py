"""cypher."""
