"""Expressions, labels and bounds: the constructs that hold no pattern and no query; see ``nodes``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Span(NamedTuple):
    """Where something stands in the text: characters from ``start`` up to ``end``; line and column from 1."""

    start: int = 0
    end: int = 0
    line: int = 1
    column: int = 1


NOWHERE = Span()
"""Place of what was not read from a text."""


@dataclass(frozen=True, slots=True)
class Node:
    """Base of every construct."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Expression(Node):
    """Base of everything that has a value."""


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    """A number, text, truth value or null."""

    value: str | int | float | bool | None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Literal)
            and type(other.value) is type(self.value)
            and repr(other.value) == repr(self.value)
        )

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Parameter(Expression):
    """``$name``."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable(Expression):
    """A name that a pattern or clause binds."""

    name: str


@dataclass(frozen=True, slots=True)
class ListLiteral(Expression):
    """``[a, b]``."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class MapEntry(Node):
    """``key: value``."""

    key: str
    value: Expression


@dataclass(frozen=True, slots=True)
class MapLiteral(Expression):
    """``{key: value}``."""

    entries: tuple[MapEntry, ...]


@dataclass(frozen=True, slots=True)
class Property(Expression):
    """``target.name``."""

    target: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Index(Expression):
    """``target[index]``."""

    target: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Slice(Expression):
    """``target[start..end]``."""

    target: Expression
    start: Expression | None
    end: Expression | None


@dataclass(frozen=True, slots=True)
class Negation(Expression):
    """``NOT operand``."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Sign(Expression):
    """``-operand`` or ``+operand``."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Logic(Expression):
    """Two or more operands joined by one of ``OR``, ``XOR``, ``AND``."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Operation(Node):
    """An operator with what stands right of it."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Comparison(Expression):
    """``a < b <= c``: ``=``, ``<>``, ``<``, ``<=``, ``>``, ``>=``."""

    first: Expression
    rest: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Arithmetic(Expression):
    """Operands joined by operators of one level, read from the left: ``+ - ||``, ``* / %`` or ``^``."""

    first: Expression
    rest: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Test(Expression):
    """``left =~ right``, ``STARTS WITH``, ``ENDS WITH``, ``CONTAINS`` or ``IN``."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class IsNull(Expression):
    """``operand IS [NOT] NULL``."""

    operand: Expression
    negated: bool


@dataclass(frozen=True, slots=True)
class IsTyped(Expression):
    """``operand IS [NOT] :: type``; the type in its canonical words."""

    operand: Expression
    type: str
    negated: bool


@dataclass(frozen=True, slots=True)
class IsNormalized(Expression):
    """``operand IS [NOT] [NFC] NORMALIZED``; ``form`` is empty where none is given."""

    operand: Expression
    form: str
    negated: bool


@dataclass(frozen=True, slots=True)
class HasLabels(Expression):
    """``operand:A&!B`` as a condition."""

    operand: Expression
    labels: LabelExpression


@dataclass(frozen=True, slots=True)
class FunctionCall(Expression):
    """``name(arguments)``; the name with its namespace, as written."""

    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class CountStar(Expression):
    """``count(*)``."""


@dataclass(frozen=True, slots=True)
class Trim(Expression):
    """``trim(BOTH characters FROM source)``; ``side`` may be empty."""

    side: str
    characters: Expression | None
    source: Expression


@dataclass(frozen=True, slots=True)
class Normalize(Expression):
    """``normalize(source, NFC)``."""

    source: Expression
    form: str


@dataclass(frozen=True, slots=True)
class CaseSubject(Expression):
    """What ``CASE x`` compares, where a WHEN leaves it out: the left side of ``< 5``."""


@dataclass(frozen=True, slots=True)
class When(Node):
    """``WHEN tests THEN result``; several tests only with a subject."""

    tests: tuple[Expression, ...]
    result: Expression


@dataclass(frozen=True, slots=True)
class Case(Expression):
    """``CASE [subject] WHEN ... [ELSE default] END``."""

    subject: Expression | None
    whens: tuple[When, ...]
    default: Expression | None


@dataclass(frozen=True, slots=True)
class ListComprehension(Expression):
    """``[variable IN source WHERE where | projection]``."""

    variable: str
    source: Expression
    where: Expression | None
    projection: Expression | None


@dataclass(frozen=True, slots=True)
class ListPredicate(Expression):
    """``all(variable IN source WHERE where)``; also ``any``, ``none``, ``single``."""

    kind: str
    variable: str
    source: Expression
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Reduce(Expression):
    """``reduce(accumulator = initial, variable IN source | step)``."""

    accumulator: str
    initial: Expression
    variable: str
    source: Expression
    step: Expression


@dataclass(frozen=True, slots=True)
class AllProperties(Node):
    """``.*`` of a map projection."""


@dataclass(frozen=True, slots=True)
class PropertySelector(Node):
    """``.name`` of a map projection."""

    name: str


@dataclass(frozen=True, slots=True)
class VariableSelector(Node):
    """A variable of a map projection, under its own name."""

    name: str


@dataclass(frozen=True, slots=True)
class MapProjection(Expression):
    """``variable {.a, .*, k: e, v}``."""

    variable: str
    items: tuple[MapEntry | PropertySelector | VariableSelector | AllProperties, ...]


@dataclass(frozen=True, slots=True)
class LabelExpression(Node):
    """Base of label and type expressions."""


@dataclass(frozen=True, slots=True)
class LabelName(LabelExpression):
    """One label or type."""

    name: str


@dataclass(frozen=True, slots=True)
class LabelWildcard(LabelExpression):
    """``%``: any label at all."""


@dataclass(frozen=True, slots=True)
class DynamicLabel(LabelExpression):
    """``$(e)``, ``$all(e)`` or ``$any(e)``; ``kind`` is empty, ``all`` or ``any``."""

    kind: str
    expression: Expression


@dataclass(frozen=True, slots=True)
class LabelNot(LabelExpression):
    """``!A``."""

    operand: LabelExpression


@dataclass(frozen=True, slots=True)
class LabelAnd(LabelExpression):
    """``A&B`` or ``:A:B``."""

    operands: tuple[LabelExpression, ...]


@dataclass(frozen=True, slots=True)
class LabelOr(LabelExpression):
    """``A|B``."""

    operands: tuple[LabelExpression, ...]


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """``{lower,upper}``; no upper bound where ``upper`` is ``None``."""

    lower: int
    upper: int | None


@dataclass(frozen=True, slots=True)
class Selector(Node):
    """``ALL SHORTEST``, ``ANY k``, ``SHORTEST k GROUPS`` and so on; ``count`` is ``None`` where left out."""

    kind: str
    """``ALL``, ``ANY``, ``ANY SHORTEST``, ``ALL SHORTEST`` or ``SHORTEST``."""
    count: int | None = None
    groups: bool = False
