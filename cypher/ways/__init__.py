"""Questions that no rule reads, taken for the nearest known way of asking about the same kinds of things."""
