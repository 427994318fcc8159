"""Labelled pairs, and the pair model fitted on them."""
