"""A general reading of questions over our own graph: typed parts that compose, and no list of shapes."""
