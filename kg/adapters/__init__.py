"""kg/adapters."""
