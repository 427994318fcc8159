"""A semantic parser without a language model: English questions over any ``StoreSchema``."""
