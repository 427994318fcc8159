"""The vocabulary: types, ports, errors, graph schemas and shared language functions.

Nothing here touches the outside world except the packaged schema files in ``schemas/catalog``.
"""
