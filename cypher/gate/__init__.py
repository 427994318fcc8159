"""What a query must pass before it may run, on the syntax tree."""
