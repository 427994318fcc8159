"""Rules that bring a question into a plainer order; :mod:`cypher.semantics.rephrased` applies them."""
