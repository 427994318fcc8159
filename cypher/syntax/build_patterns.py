"""Makes the nodes of patterns and labels while the text is parsed; see ``build``."""

from __future__ import annotations

from itertools import pairwise

from cypher.syntax import nodes as n
from cypher.syntax.build_base import Base, Children, Part, named, nodes_of, tokens_of, whole
from cypher.syntax.faults import refuse


class Patterns(Base):
    """Callbacks of the rules of patterns."""

    def patterns(self, c: Children) -> Part:
        """``path, path``."""
        return Part(tuple(c[::2]), self.span(c))

    def path(self, c: Children) -> n.Path:
        """``[NAME EQ] [selector] path_body``."""
        name, _, selector, body = c
        variable = name.value if name is not None else None
        return n.Path(body.elements, variable, selector, body.function, span=self.span(c))

    def shortest(self, c: Children) -> n.Path:
        """``shortestPath(chain)``."""
        return n.Path(c[2].elements, function=c[0].value, span=self.span(c))

    def selector(self, c: Children) -> n.Selector:
        """``ANY 2 PATHS``, ``SHORTEST 1 GROUPS`` and so on."""
        words = [t.type for t in tokens_of(c)]
        kind = " ".join(w for w in words if w in {"ALL", "ANY", "SHORTEST"})
        count = next((whole(t) for t in tokens_of(c) if t.type == "INT"), None)
        if count == 0:
            raise refuse("SYN1", "expected at least 1 path, found 0", self.span(c))
        groups = bool({"GROUP", "GROUPS"} & set(words))
        if kind == "SHORTEST" and count is None and not groups:
            raise refuse("SYN1", "expected how many paths: SHORTEST 1", self.span(c), "SHORTEST 1")
        return n.Selector(kind, count, groups, span=self.span(c))

    def path_word(self, c: Children) -> None:
        """PATH or PATHS says nothing."""

    def chain(self, c: Children) -> n.Path:
        """Nodes, relationships and groups in an order that makes a path."""
        for before, after in pairwise(c):
            links = isinstance(before, n.RelationshipPattern), isinstance(after, n.RelationshipPattern)
            groups = isinstance(before, n.GroupPattern), isinstance(after, n.GroupPattern)
            if any(links) == any(groups) or all(links):
                message = "expected a relationship between two nodes"
                raise refuse("SYN1", message, after.span, "(a)-[:TYPE]->(b)")
        if isinstance(c[-1], n.RelationshipPattern):
            raise refuse("SYN1", "expected a node after the relationship", c[-1].span, "(b:Label)")
        return n.Path(tuple(c), span=self.span(c))

    def node(self, c: Children) -> n.NodePattern:
        """``LNODE [NAME] [labels] [properties] [where] RPAR``."""
        _, name, labels, properties, where, _ = c
        return n.NodePattern(
            name.value if name is not None else None,
            labels.value if labels is not None else None,
            properties,
            where,
            span=self.span(c),
        )

    def group_pattern(self, c: Children) -> n.GroupPattern:
        """``LPATH [NAME EQ] chain [where] RPAR [quantifier]``."""
        _, name, _, chain, where, _, quantifier = c
        path = n.Path(chain.elements, name.value if name is not None else None, span=chain.span)
        return n.GroupPattern(path, where, quantifier, span=self.span(c))

    def relationship(self, c: Children) -> n.RelationshipPattern:
        """``[LT] MINUS [body] MINUS [GT] [quantifier]``."""
        left, _, body, _, right, quantifier = c
        direction = "" if (left is None) == (right is None) else "<" if left is not None else ">"
        variable, types, length, properties, where = body.value if body is not None else (None,) * 5
        plain = types.operands if isinstance(types, n.LabelOr) else (types,)
        if length is not None and types is not None and not all(isinstance(x, n.LabelName) for x in plain):
            message = "a path with * takes types joined by | only; write -[:A|B]->{1,3} for others"
            raise refuse("SYN1", message, self.span(c), "-[:A|B*1..3]->")
        return n.RelationshipPattern(
            direction, variable, types, length, properties, where, quantifier, span=self.span(c)
        )

    def relationship_body(self, c: Children) -> Part:
        """``LSQB [NAME] [labels] [length] [properties] [where] RSQB``."""
        _, name, labels, length, properties, where, _ = c
        parts = (
            name.value if name is not None else None,
            labels.value if labels is not None else None,
            length,
            properties,
            where,
        )
        return Part(parts, self.span(c))

    def length(self, c: Children) -> n.Quantifier:
        """``*``, ``*2``, ``*1..3``, ``*..3``, ``*2..``."""
        tokens = tokens_of(c)[1:]
        if not tokens:
            return n.Quantifier(1, None, span=self.span(c))
        bounds = [whole(t) for t in tokens if t.type == "INT"]
        if len(tokens) == 1 and tokens[0].type == "INT":
            return self._bounds(bounds[0], bounds[0], c)
        if tokens[0].type == "INT":
            return self._bounds(bounds[0], bounds[1] if len(bounds) > 1 else None, c)
        return self._bounds(1, bounds[0] if bounds else None, c)

    def quantifier(self, c: Children) -> n.Quantifier:
        """``+``, ``*``, ``{2}``, ``{1,3}``, ``{,3}``, ``{1,}``."""
        if c[0].type != "LBRACE":
            return n.Quantifier(1 if c[0].type == "PLUS" else 0, None, span=self.span(c))
        if len(c) == 3:
            return self._bounds(whole(c[1]), whole(c[1]), c)
        lower = whole(c[1]) if c[1] is not None else 0
        return self._bounds(lower, whole(c[3]) if c[3] is not None else None, c)

    def _bounds(self, lower: int, upper: int | None, c: Children) -> n.Quantifier:
        if upper is not None and upper < lower:
            raise refuse("SYN1", f"a path from {lower} to {upper} steps has no length", self.span(c))
        return n.Quantifier(lower, upper, span=self.span(c))

    def labels(self, c: Children) -> Part:
        """``:expression``."""
        return Part(c[1], self.span(c))

    def label_or(self, c: Children) -> n.LabelExpression:
        """``A|B``, ``A|:B``."""
        return n.LabelOr(nodes_of(c, n.LabelExpression), span=self.span(c))

    def label_and(self, c: Children) -> n.LabelExpression:
        """``A&B``, ``A:B``."""
        return n.LabelAnd(nodes_of(c, n.LabelExpression), span=self.span(c))

    def label_negation(self, c: Children) -> n.LabelExpression:
        """``!A``."""
        return n.LabelNot(c[1], span=self.span(c))

    def label_name(self, c: Children) -> n.LabelExpression:
        """A label or type."""
        return n.LabelName(named(c[0]), span=self.span(c))

    def label_wildcard(self, c: Children) -> n.LabelExpression:
        """``%``."""
        return n.LabelWildcard(span=self.span(c))

    def dynamic_label(self, c: Children) -> n.LabelExpression:
        """``$(e)``, ``$all(e)``, ``$any(e)``."""
        kind = {"DOLLAR_ALL": "all", "DOLLAR_ANY": "any"}.get(c[0].type, "")
        return n.DynamicLabel(kind, c[2], span=self.span(c))

    def pattern_expression(self, c: Children) -> n.PatternExpression:
        """A pattern or shortest path as an expression."""
        if isinstance(c[0], n.Path):
            return n.PatternExpression(c[0], span=self.span(c))
        return n.PatternExpression(n.Path(tuple(c), span=self.span(c)), span=self.span(c))

    def pattern_comprehension(self, c: Children) -> n.PatternComprehension:
        """``PCOMP [NAME EQ] chain [where] comprehended RSQB``."""
        _, name, _, chain, where, projection, _ = c
        path = n.Path(chain.elements, name.value if name is not None else None, span=chain.span)
        return n.PatternComprehension(path, where, projection, span=self.span(c))

    def bare_pattern(self, c: Children) -> n.Query:
        """``patterns [where]`` of a subquery."""
        patterns, where = c
        match = n.Match(patterns.value, where, span=self.span(c))
        return n.Query((n.SingleQuery((match,), span=match.span),), span=match.span)
