"""The commands of ``kg``, by theme."""
