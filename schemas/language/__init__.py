"""Pure functions on scientific text that several stages need."""
