"""A semantic parser without a language model: English questions over any property graph of a ``StoreSchema``."""
