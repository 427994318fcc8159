"""From a question in English to a checked, bounded read query, and to an answer with its evidence.

``service.QuestionService`` is the way in. A question is linked to the schema's words and the graph's names
(``link``), sorted into slots (``slots``), matched to a shape (``shapes``) that makes a typed form (``form``),
written as Cypher (``compose``), checked (``guard``) and answered (``answer``).
"""
