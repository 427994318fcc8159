"""Joins what the phrases of a question refer to along the schema: a sentence becomes a plan, at a cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, product
from typing import Final

from cypher.form import Op
from cypher.general.asked import Asked, Asks
from cypher.general.averaged import averaged, with_unit
from cypher.general.firsts import firsts
from cypher.general.fitting import Variant, by_size, check_direction, is_one, is_size, misplaced, owns, rank
from cypher.general.groups import NONE, all_refs, counted, is_bare, keyed, merged, one_event, with_part
from cypher.general.kinds import Derived, Form, Kind, KindGraph, derived, statement, value
from cypher.general.plan import (
    Aggregate,
    Branch,
    Compare,
    Contrast,
    CountOf,
    ExistsAny,
    GroupBy,
    Head,
    ListOf,
    Plan,
    Ranking,
    Side,
    Size,
    Test,
    Tree,
)
from cypher.general.refs import EVERY, Extreme, Group, Mode, Most, Part, Ref
from cypher.general.told_apart import apart, denies_its_subject, one_meaning, tells_of_values
from cypher.general.tries import Grower, Node, NoPlanError
from cypher.schema_graph import VALUE, valued_relation

REF_COST: Final = 0.4
"""Cost of each phrase: fewer and longer names are preferred."""
GROUP_COST: Final = 0.35
"""Cost of each event: phrases are taken to speak of one where they may."""
_SIZES: Final = {
    Size.AT_LEAST: Op.AT_LEAST,
    Size.AT_MOST: Op.AT_MOST,
    Size.MORE: Op.ABOVE,
    Size.FEWER: Op.BELOW,
    Size.EXACTLY: Op.IS,
}


@dataclass(slots=True)
class _Use:
    """What was used on the way, for the whole plan."""

    cost: float = 0.0
    rankings: list[Ranking] = field(default_factory=list)
    keys: list[Tree] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Assembler:
    """Makes plans over one schema."""

    def __init__(self, graph: KindGraph) -> None:
        self.graph, self._grow = graph, Grower(graph)
        relation = valued_relation(graph.schema)
        self._valued = statement(relation.name) if relation else None
        self._events = count(1)

    def plan(self, asked: Asked) -> tuple[float, Plan]:
        """The plan of a sentence and its cost, or ``NoPlanError``."""
        use = _Use()
        if asked.asks is Asks.COMPARE:
            return self._compared(asked, use)
        number = None
        if asked.asks is Asks.AGGREGATE:
            ref, number = averaged(self.graph, asked.ref, self._valued)
            asked = replace(asked, ref=ref)
        elif asked.asks is Asks.LIST:
            ref, number = with_unit(self.graph, asked.ref)
            asked = replace(asked, ref=ref)
        root = self._root(asked.ref, use, key=asked.key)
        head = self._head(asked, use, number)
        if number is None and not one_meaning(root, self._valued):
            raise NoPlanError("the value or its error?")
        root = apart(root, self._valued)
        if denies_its_subject(root):
            raise NoPlanError("what has it not: all, or those that are asked for?")
        return use.cost, Plan(root, head, tuple(dict.fromkeys(use.notes)))

    def _head(self, asked: Asked, use: _Use, number: Kind | None) -> Head:
        if use.keys:
            if asked.asks not in (Asks.COUNT, Asks.GROUP) or len(use.keys) > 1 or use.rankings:
                raise NoPlanError("each")
            return GroupBy(use.keys[0])
        if asked.asks is Asks.LIST:
            if any(r.each for r in all_refs(asked.ref)):
                raise NoPlanError("the first of each")
            if len(use.rankings) > 1 or (asked.ref.keep and not use.rankings):
                raise NoPlanError("more than one order")
            return ListOf(use.rankings[0] if use.rankings else None, number)
        if use.rankings:
            raise NoPlanError("an order without a list")
        if number is not None:
            return Aggregate(asked.function, number)
        return ExistsAny() if asked.asks is Asks.EXISTS else CountOf()

    def _compared(self, asked: Asked, use: _Use) -> tuple[float, Plan]:
        assert asked.sides is not None
        number = asked.ref.kind if asked.ref.kind.is_value else None
        if number is not None and not self.graph.is_number(number):
            raise NoPlanError("no number")
        sides = []
        for part in asked.sides:
            if part.preposition == "whole":
                (ref,) = part.refs
                name = ""
            elif number is not None:
                (ref,) = part.refs
                name = ref.named
                if ref.kind != self.graph.owner(number):
                    raise NoPlanError("not a number of these")
            else:
                (named,) = part.refs
                ref, name = replace(asked.ref, groups=with_part(asked.ref.groups, part)), named.named
            sides.append(Side(name, self._root(ref, use, key=None)))
        if use.rankings or use.keys:
            raise NoPlanError("an order in a comparison")
        head = Compare(asked.how, (sides[0], sides[1]), number)
        return use.cost / 2, Plan(sides[0].root, head, tuple(dict.fromkeys(use.notes)))

    def _root(self, ref: Ref, use: _Use, *, key: Kind | None) -> Tree:
        """The things that are asked for."""
        if ref.number is not None or ref.each or isinstance(ref.ranked, Most) or ref.contrast:
            raise NoPlanError("a number of what is asked for")
        if ref.other and not any(p.preposition in ("same", "self") for g in ref.groups for p in g.parts):
            raise NoPlanError("other than what?")
        use.cost += REF_COST
        root = Node(ref.kind, 0)
        root.add_tests(ref.tests)
        groups = firsts(self._states_joined(ref.kind, one_event(ref.kind, ref.groups)))
        if key is not None:
            groups = keyed(groups, Ref(key, each=True))
        if isinstance(ref.ranked, Extreme):
            groups = with_part(groups, Part((self._number_of(ref),)))
        for group in groups:
            root.branches += self._branches(root, group, use, keep=ref.keep, plural=ref.plural)
        return self._grow.freeze(root)

    def _states_joined(self, kind: Kind, groups: tuple[Group, ...]) -> tuple[Group, ...]:
        """What is said of measured values alone is said of those that were spoken of before."""
        if len(groups) < 2 or kind == self._valued or groups[0].negated or self._valued is None:
            return groups
        kept = [groups[0]]
        for group in groups[1:]:
            of_value = tells_of_values(group, groups[0].relation, self._valued)
            if of_value and not group.negated:
                kept[0] = replace(kept[0], parts=(*kept[0].parts, *group.parts))
            elif of_value:
                kept.append(replace(group, parts=(*groups[0].parts, *group.parts)))
            else:
                kept.append(group)
        return tuple(kept)

    def _number_of(self, ref: Ref) -> Ref:
        """The number by which "largest" or "latest" orders things of a kind."""
        assert isinstance(ref.ranked, Extreme)
        kind = ref.ranked.kind
        if kind is None and ref.kind == self._valued and self._valued is not None:
            kind = value(self._valued.owner, VALUE)
        if kind is None or (kind.derived and ref.kind != self._valued):
            raise NoPlanError("largest by what?")
        return Ref(kind, ranked=replace(ref.ranked, kind=kind))

    def _branches(
        self, root: Node, group: Group, use: _Use, *, keep: int, plural: bool = False
    ) -> Iterator[Branch]:
        """What one group says of a thing; conditions on the thing itself go to ``root``."""
        check_direction(self.graph, root.kind, group)
        use.cost += GROUP_COST
        group = counted(self._with_events(group))
        for part in group.parts:
            if part.preposition == "same":
                yield from self._not_itself(root.kind, part)
        positive = tuple(self._spread(p) for p in group.parts if not p.negated)
        for part in group.parts:
            if part.negated:
                if group.negated:
                    raise NoPlanError("a double negation")
                trees = tuple(self._tree(root.kind, ((part, r),), group, use, plain=True) for r in part.refs)
                yield Branch(trees, negated=True)
        if not positive:
            if group.parts:
                return
            raise NoPlanError("nothing is said")
        variants = list(self._variants(root.kind, positive))
        if group.negated and len(variants) > 1:
            raise NoPlanError("not both: which of them?")
        for variant in variants:
            yield from self._branch(root, variant, group, use, keep=keep or (0 if plural else 1))

    def _branch(
        self, root: Node, variant: Variant, group: Group, use: _Use, *, keep: int
    ) -> Iterator[Branch]:
        variant = by_size(self.graph, variant)
        numbers = [(p, r) for p, r in variant if r.number is not None and not is_size(self.graph, r)]
        if len(numbers) > 1:
            raise NoPlanError("two numbers of one event")
        trees = tuple(self._any(root.kind, variant, group, use))
        ranked = rank(variant)
        if any(r.each for _, r in variant) and not group.negated:
            use.keys.append(trees[0])
            return
        if ranked is not None:
            if group.negated or numbers or len(trees) > 1:
                raise NoPlanError("an order of what is not there")
            descending, of_value = ranked
            kept = 0 if keep == EVERY else keep or int(of_value)
            tree = self._grow.by_number(trees[0]) if of_value else trees[0]
            use.rankings.append(Ranking(tree, descending, kept, of_value))
            return
        number = numbers[0][1].number if numbers else group.number
        if number is not None and number == NONE:
            yield Branch(trees, negated=not group.negated)
        else:
            if number is not None and (group.negated or len(trees) > 1):
                raise NoPlanError("a number of what is not there")
            if number is not None and number.size in (Size.FEWER, Size.AT_MOST):
                use.notes.append("Those with none at all are left out.")
            yield Branch(trees, negated=group.negated, number=number)

    def _any(self, kind: Kind, variant: Variant, group: Group, use: _Use) -> Iterator[Tree]:
        """A tree for each alternative; alternatives of one kind are one condition."""
        options: list[tuple[tuple[Part, Ref], ...]] = []
        for part, ref in variant:
            several = part.mode is Mode.ANY and len(part.refs) > 1
            options.append(tuple((part, r) for r in merged(part.refs)) if several else ((part, ref),))
        for chosen in product(*options):
            yield self._tree(kind, chosen, group, use)

    def _tree(self, kind: Kind, variant: Variant, group: Group, use: _Use, *, plain: bool = False) -> Tree:
        top = Node(kind, 0)
        event = next(self._events)
        for part, ref in sorted(variant, key=lambda x: bool(x[1].contrast)):
            self._attach(top, ref, part, event, group.relation, use)
        if plain and top.has_counted():
            raise NoPlanError("a number of what is left out")
        if group.number is not None and not top.has_counted():
            self._count_events(top)
        return self._grow.freeze(top)

    def _count_events(self, top: Node) -> None:
        node: Node | None = top
        while node is not None and node.kind.form is not Form.STATEMENT:
            node = next((c for c in node.children if not c.kind.is_value), None)
        if node is None or node is top:
            raise NoPlanError("no events to count")
        node.counted = True

    def _attach(self, top: Node, ref: Ref, part: Part, event: int, relation: str, use: _Use) -> None:
        """Adds what a phrase refers to, with all that is said of it."""
        use.cost += REF_COST
        if ref.other:
            raise NoPlanError("other than what?")
        if part.preposition == "self":
            top.children.append(Node(ref.kind, event, list(ref.tests)))
            return
        if ref.kind == top.kind and isinstance(ref.ranked, Extreme) and not ref.groups:
            top.children.append(Node(ref.kind, event, counted=True))
            return
        if ref.kind == top.kind:
            raise NoPlanError("a thing is not joined to itself")
        if is_size(self.graph, ref):
            assert ref.number is not None
            test = Test(_SIZES[ref.number.size], ref.number.value, str(ref.number.value))
            ref = Ref(derived(ref.kind.owner, Derived.SIZE, ref.kind.attribute), (test,))
        many = self.graph.is_many(ref.kind)
        node, steps = self._grow.reach(
            top, ref.kind, event=event, relation=relation, fresh=many or bool(ref.named)
        )
        if part.preposition == "noun" and ref.kind.form is Form.ENTITY and steps > 2:
            raise NoPlanError("a noun in front of what it is not joined to")
        use.cost += steps + misplaced(self.graph, ref, part, many=many, steps=steps)
        if ref.kind.is_value and not many and is_bare(ref):
            node.add_tests((Test(Op.KNOWN),))
        if ref.contrast is not None:
            self._contrast(top, ref, event, relation)
        self._fill(node, ref, use)

    def _contrast(self, top: Node, ref: Ref, event: int, relation: str) -> None:
        assert ref.contrast is not None
        owner = self.graph.owner(ref.kind)
        if ref.contrast.right.owner != ref.kind.owner:
            raise NoPlanError("numbers of different things")
        holder, _ = (
            (top, 0)
            if top.kind == owner
            else self._grow.reach(top, owner, event=event, relation=relation, fresh=False)
        )
        holder.contrasts.append(Contrast(ref.kind, ref.contrast.op, ref.contrast.right))

    def _fill(self, node: Node, ref: Ref, use: _Use) -> None:
        node.add_tests(ref.tests)
        if ref.each or ref.number not in (None, NONE) or isinstance(ref.ranked, Most):
            node.counted = True
        if isinstance(ref.ranked, Extreme):
            if ref.kind == ref.ranked.kind:
                node.counted = True
            else:
                self._fill_group(node, Group((Part((self._number_of(ref),)),)), use)
        for group in firsts(one_event(ref.kind, ref.groups)):
            self._fill_group(node, self._with_events(group), use)

    def _fill_group(self, node: Node, group: Group, use: _Use) -> None:
        """What is said of a thing inside a tree: joined to it where that is plain, else a branch of it."""
        check_direction(self.graph, node.kind, group)
        use.cost += GROUP_COST
        positive = tuple(p for p in group.parts if not p.negated)
        plain = not group.negated and not group.number and len(positive) == len(group.parts)
        variants = list(self._variants(node.kind, positive)) if positive else []
        simple = (
            plain
            and len(variants) == 1
            and all((p.mode is Mode.ALL or len(p.refs) == 1 or len(merged(p.refs)) == 1) for p in positive)
            and not any(r.number is not None and not is_size(self.graph, r) for _, r in variants[0])
        )
        if simple:
            event = next(self._events)
            for part, ref in variants[0]:
                joined = merged(part.refs)[0] if part.mode is Mode.ANY and len(part.refs) > 1 else ref
                self._attach(node, joined, part, event, group.relation, use)
            return
        inner = _Use()
        node.branches += self._branches(node, group, inner, keep=0)
        use.cost += inner.cost
        use.notes += inner.notes
        if inner.rankings or inner.keys:
            raise NoPlanError("an order inside a condition")

    def _with_events(self, group: Group) -> Group:
        """A group whose adverb ("most often", "first") or mere verb ("was measured") became a phrase."""
        if not group.parts and group.relation and group.ranked is None:
            return replace(group, parts=(Part((Ref(statement(group.relation)),)),))
        if group.ranked is None:
            return group
        if isinstance(group.ranked, Most):
            owner = statement(group.relation) if group.relation else self._valued
            if owner is None:
                raise NoPlanError("no events to count")
            extra = Part((Ref(owner, ranked=group.ranked),))
        else:
            assert group.ranked.kind is not None
            extra = Part((Ref(group.ranked.kind, ranked=group.ranked),))
        return replace(group, parts=(*group.parts, extra), ranked=None)

    def _not_itself(self, kind: Kind, part: Part) -> Iterator[Branch]:
        """What has the same as a thing is another thing."""
        for ref in part.refs:
            for other in (r for g in ref.groups for p in g.parts for r in p.refs):
                if other.kind == kind and other.tests:
                    yield Branch((Tree(kind, children=(Tree(kind, other.tests),)),), negated=True)

    def _variants(self, kind: Kind, parts: Sequence[Part]) -> Iterator[Variant]:
        """One for each choice among phrases that must all hold of events of their own."""
        options = []
        for part in parts:
            if part.mode is Mode.ALL and len(part.refs) > 1:
                if is_one(self.graph, kind, part.refs[0].kind):
                    options.append([(replace(part, mode=Mode.ANY), part.refs[0])])
                elif self.graph.is_many(part.refs[0].kind) and owns(self.graph, kind, part.refs[0].kind):
                    options.append([(replace(part, refs=(r,)), r) for r in part.refs[:1]])
                    options += [[(replace(part, refs=(r,)), r)] for r in part.refs[1:]]
                else:
                    options.append([(replace(part, refs=(r,)), r) for r in part.refs])
            else:
                options.append([(part, part.refs[0])])
        yield from product(*options)

    def _spread(self, part: Part) -> Part:
        """ "results on both A and B" as "results on A and results on B": one result is of one thing."""
        if len(part.refs) != 1 or part.refs[0].kind.form is not Form.STATEMENT:
            return part
        (ref,) = part.refs
        for i, group in enumerate(ref.groups):
            for j, inner in enumerate(group.parts):
                several = inner.mode is Mode.ALL and len(inner.refs) > 1 and not inner.negated
                if several and not group.negated and is_one(self.graph, ref.kind, inner.refs[0].kind):
                    each = [replace(inner, refs=(r,)) for r in inner.refs]
                    groups = [
                        replace(group, parts=(*group.parts[:j], e, *group.parts[j + 1 :])) for e in each
                    ]
                    refs = (replace(ref, groups=(*ref.groups[:i], g, *ref.groups[i + 1 :])) for g in groups)
                    return replace(part, refs=tuple(refs), mode=Mode.ALL)
        return part
