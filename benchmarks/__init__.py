"""Benchmarks: one module each, run as ``python -m benchmarks.NAME``; all of them by ``make bench``."""
