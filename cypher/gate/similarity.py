"""``similarity(node, "text")``: the raw cosine, in [-1, 1], of the vectors of a node and of a text.

The call is no function of the server; it is written out on the tree, as exact scoring or, where a query can
begin with a search of the vector index, as that search (``vector_search``). Neo4j's own cosine is
``(1 + cosine) / 2``, in [0, 1], so the call becomes ``2 * vector.similarity.cosine(..) - 1``, and a constant
that it is compared with is converted. All texts of a query are embedded in one batch; equal ones share a
parameter, and the text itself never enters the query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cypher.gate.check import Checked
from cypher.gate.constants import is_similarity, number_of
from cypher.gate.report import finding
from cypher.gate.similarity_options import options_of
from cypher.gate.snapping import Names
from cypher.gate.symbols import Kind, Symbol, place
from cypher.gate.vector_search import SLACK, Finder, Search, begun_with
from cypher.syntax import nodes as n
from cypher.syntax.walk import rebuild, walk
from schemas.findings import Finding
from schemas.matched import VectorSearch
from schemas.questions import Parameter
from schemas.store_schema import StoreSchema

PREFIX: Final = "__vector"
"""Start of the names of parameters that hold vectors."""
MAX_TEXTS: Final = 8
"""Most texts that one query may compare with."""
BELOW_ALL: Final = -2.0
"""Sorts nodes without a vector behind all others."""
_EXAMPLE: Final = "similarity(n, 'text')"
_TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
Embed: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to vectors, one row each."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a query is given beside its text: values of its parameters, and the maker of vectors."""

    parameters: Mapping[str, Parameter]
    embed: Embed | None = None
    names: Names | None = None
    """Stored names that a text may mean, where somebody knows the graph."""
    provenance: bool = False
    """Return the ids of what the patterns match in the place of the columns."""
    neighbours: int = 0
    """Begin with this many nodes of the vector index, where the query can; 0 scores exactly."""


def calls(query: n.Node) -> list[n.FunctionCall]:
    """The similarity calls of a query."""
    return [x for x in walk(query) if isinstance(x, n.FunctionCall) and is_similarity(x)]


@dataclass(slots=True)
class Similarity:
    """Checks the calls of one query and writes them out."""

    checked: Checked
    schema: StoreSchema
    given: Mapping[str, Parameter]
    embed: Embed | None
    neighbours: int = 0
    parameters: dict[str, Parameter] = field(default_factory=dict)
    search: Search | None = None
    """How the query could begin with an index."""
    _names: dict[str, str] = field(default_factory=dict)
    _vectors: dict[str, tuple[float, ...]] = field(default_factory=dict)

    def findings(self) -> Iterator[Finding]:
        """A finding ``SIM1`` for each call that cannot be computed."""
        found = calls(self.checked.query)
        for call in found:
            message = self._wrong(call)
            if message:
                yield finding("SIM1", message, call.span, _EXAMPLE)
        texts = {self._text(c) for c in found}
        if len(texts) > MAX_TEXTS:
            message = f"a query may compare with {MAX_TEXTS} texts; this one has {len(texts)}"
            yield finding("SIM1", message, found[-1].span)

    def written_out(self, query: n.Query) -> n.Query:
        """The query with exact scoring in the place of the calls; its vectors are in ``parameters``."""
        found = calls(query)
        if not found or self.embed is None:
            return query
        texts = list(dict.fromkeys(t for c in found if (t := self._text(c))))
        free = (f"{PREFIX}{i}" for i in range(len(texts) + len(self.given)))
        names = [x for x in free if x not in self.given]
        for text, name, row in zip(texts, names, self.embed(texts), strict=False):
            self._names[text] = name
            self._vectors[name] = tuple(float(x) for x in row)
        self.parameters |= self._vectors
        self.search = Finder(self.checked, self.schema, self.given).search(query)
        if self.search is not None and self.neighbours:
            vector = self._names[self._text(self.search.call)]
            query = begun_with(query, self.search, vector, self.neighbours)
        return rebuild(rebuild(query, self._sorted), self._change)

    def described(self) -> VectorSearch | None:
        """The search for whoever runs the query."""
        found = self.search
        if found is None:
            return None
        least = None if found.least is None else (1.0 + found.least) / 2.0 - SLACK
        return VectorSearch(
            index=found.label.vector_index,
            vector=self._vectors[self._names[self._text(found.call)]],
            neighbours=found.neighbours,
            least=least,
            rows=found.rows,
            always=options_of(found.call).mode == "index",
        )

    def _wrong(self, call: n.FunctionCall) -> str:
        symbol = self.checked.analysis.similar.get(place(call))
        if not 2 <= len(call.arguments) <= 3 or call.distinct or symbol is None:
            return "similarity takes the variable of a node, a text, and perhaps a map of options"
        if symbol.kind is not Kind.NODE:
            return f"similarity compares a node with a text; {symbol.name or 'this'} is a {symbol.kind.value}"
        if not self._text(call).strip():
            return "the second part of similarity is a text in quotes, or a parameter whose value is a text"
        properties = self._held(symbol)
        if len(properties) != 1:
            known = ", ".join(sorted(x.name for x in self.schema.labels if x.vector_property))
            return f"{symbol.name} has no vectors of one kind; labels with vectors: {known or 'none'}"
        target = call.arguments[0]
        if isinstance(target, n.Property) and target.name not in properties:
            return f"{symbol.name}.{target.name} holds no vector; write the variable alone"
        if self.embed is None:
            return "similarity needs a model for embeddings; there is none here"
        return self._unfit(call)

    def _unfit(self, call: n.FunctionCall) -> str:
        """What is wrong with the options of a call, or with the index for it."""
        options = options_of(call)
        if options.wrong or options.mode != "index":
            return options.wrong
        found = Finder(self.checked, self.schema, self.given).search(self.checked.query)
        if found is not None and place(found.call) == place(call):
            return ""
        return (
            "expected a query that can begin with the index, for mode 'index': a condition such as "
            "similarity(n, 'text') > 0.5 in the first MATCH, or ORDER BY similarity(..) DESC with a LIMIT"
        )

    def _held(self, symbol: Symbol) -> set[str]:
        """Names of the vector properties that a node can have."""
        domains = self.checked.domains
        labels = {x for i in domains.of_node(symbol) for x in domains.tables.sets[i]}
        return {x.vector_property for x in self.schema.labels if x.name in labels and x.vector_property}

    def _text(self, call: n.FunctionCall) -> str:
        text = call.arguments[1] if len(call.arguments) > 1 else None
        value: Parameter = None
        if isinstance(text, n.Literal):
            value = text.value
        elif isinstance(text, n.Parameter):
            value = self.given.get(text.name)
        return value if isinstance(value, str) else ""

    def _score(self, call: n.FunctionCall) -> n.Expression:
        """The server's score of a call, in [0, 1]."""
        target = call.arguments[0]
        symbol = self.checked.analysis.similar[place(call)]
        (name,) = self._held(symbol)
        vector = target if isinstance(target, n.Property) else n.Property(target, name)
        parameter = n.Parameter(self._names[self._text(call)])
        return n.FunctionCall("vector.similarity.cosine", (vector, parameter), span=call.span)

    def _change(self, node: n.Node) -> n.Node:
        if isinstance(node, n.FunctionCall) and is_similarity(node):
            twice = n.Arithmetic(n.Literal(2.0), (n.Operation("*", self._score(node)),))
            return n.Arithmetic(twice, (n.Operation("-", n.Literal(1.0)),), span=node.span)
        return node

    def _sorted(self, node: n.Node) -> n.Node:
        """Converted thresholds, and descending orders with nodes without a vector at their end."""
        if isinstance(node, n.Comparison) and len(node.rest) == 1:
            return self._compared(node)
        if isinstance(node, n.Projection):
            scored = {i.alias for i in node.items if i.alias is not None and is_similarity(i.expression)}
            return replace(node, order=tuple(_last(s, scored) for s in node.order))
        return node

    def _compared(self, node: n.Comparison) -> n.Comparison:
        left, operator, right = node.first, node.rest[0].operator, node.rest[0].operand
        if is_similarity(right):
            left, right, operator = right, left, _TURNED.get(operator, operator)
        limit = number_of(right, self.given)
        if not isinstance(left, n.FunctionCall) or not is_similarity(left) or limit is None:
            return node
        if operator not in _TURNED:
            return node
        converted = n.Literal((1.0 + limit) / 2.0)
        return n.Comparison(self._score(left), (n.Operation(operator, converted),), span=node.span)


def _last(sort: n.Sort, scored: set[str]) -> n.Sort:
    key = sort.expression
    is_score = is_similarity(key) or (isinstance(key, n.Variable) and key.name in scored)
    if not sort.descending or not is_score:
        return sort
    return replace(sort, expression=n.FunctionCall("coalesce", (key, n.Literal(BELOW_ALL))))
