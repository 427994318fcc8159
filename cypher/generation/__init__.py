"""Queries written by a chat model: sampled, checked by the gate, run, and counted by their results."""
