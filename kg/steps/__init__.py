"""The steps of a build: each is resumable, idempotent, and records itself in the ledger."""
