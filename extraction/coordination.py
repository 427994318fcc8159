"""Observables named together: "the masses and widths of A and B", "of C relative to that of D"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.observables import ObservableMention, decays_in, particle_name
from extraction.passages import unified
from extraction.rules_terms import CompiledTerm
from schemas.language.notation import DecayName

_THING = (
    r"(?:decays?|mesons?|baryons?|states?|channels?|modes?|hadrons?|particles?|resonances?|processes|bosons?)"
)
_JOIN = re.compile(
    rf"\s?{_THING}?\s?(?:,|/|;|and|or|, and|as well as)\s?"
    rf"(?:(?:of|for|in|the|that|those)\s){{0,3}}(?:{_THING}\s)?"
    r"\s?",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"\s?(?:of|for|in|from|times|,)?\s?(?:both\s)?(?:the\s)?(?:[a-z-]{{3,20}}\s){{0,2}}(?:{_THING}\s)?",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"\s?{_THING}?,?\s(?:is |are |measured |determined |and ){{0,3}}"
    rf"(?:relative to|with respect to|normali[sz]ed to|over|to)\s"
    rf"(?:that |those |the )?(?:branching fractions? |branching ratios? )?(?:of |for )?(?:the )?"
    rf"(?:[a-z-]{{3,20}}\s){{0,2}}(?:{_THING}\s)?",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"[\s)]{0,3}/[\s(]{0,3}")
_HEADS = re.compile(r",?\s?(?:and|,)\s(?:the\s)?(?:natural |total |decay |their )?", re.IGNORECASE)
_LIST = re.compile(r"\s?(?:of|for)\s(?:both\s)?(?:the\s)?", re.IGNORECASE)
_ITEM = re.compile(r"[^\s,;]{1,40}")
_REACH = 90
_MOST = 12
"""Members of one enumeration."""

Place = tuple[int, int, DecayName]


def coordinated(
    text: str, mentions: Sequence[ObservableMention], terms: Sequence[CompiledTerm]
) -> list[ObservableMention]:
    """The mentions, each once per decay or particle of its enumeration, ratios as one.

    A head that is joined to the next by "and" shares that one's arguments.
    """
    decays = decays_in(text)
    templates = {term.name: term for term in terms}
    merged = _ratios(text, mentions, decays, templates)
    found: list[list[ObservableMention]] = [list(_members(text, m, decays)) for m in merged]
    for at in range(len(merged) - 2, -1, -1):
        gap = unified(text[merged[at].end : merged[at + 1].start])
        if _HEADS.fullmatch(gap) and merged[at].end <= merged[at + 1].start and _open(merged[at]):
            shared = [_like(merged[at], other) for other in found[at + 1]]
            found[at] = [m for m in shared if m is not None] or found[at]
    return [m for group in found for m in group]


def _open(mention: ObservableMention) -> bool:
    return "{" in mention.template and not (mention.name and mention.sure)


def _like(head: ObservableMention, other: ObservableMention) -> ObservableMention | None:
    """The head with the other's argument."""
    if head.template.count("{") != 1 or "{particle}" not in head.template or not other.particle:
        return None
    return _of_particle(head, other.particle)


def _of_particle(mention: ObservableMention, particle: str) -> ObservableMention:
    return replace(
        mention,
        name=mention.template.replace("{particle}", particle),
        particle=particle,
        attributes={**mention.attributes, "particle": particle},
        sure=True,
    )


def _ratios(
    text: str,
    mentions: Sequence[ObservableMention],
    decays: Sequence[Place],
    templates: dict[str, CompiledTerm],
) -> list[ObservableMention]:
    """ "X(a)/X(b)" and "X of a relative to that of b" as one mention, where the schema has such a ratio."""
    merged: list[ObservableMention] = []
    skip = 0
    for at, mention in enumerate(mentions):
        if mention.start < skip:
            continue
        ratio = templates.get(f"{mention.template}/{mention.template.replace('{decay}', '{decay2}')}")
        made = None
        if ratio is not None and mention.template.count("{decay}") == 1:
            following = mentions[at + 1] if at + 1 < len(mentions) else None
            made = _ratio(text, mention, following, decays, ratio)
        merged.append(made or mention)
        skip = made.end if made else 0
    return merged


def _ratio(
    text: str,
    mention: ObservableMention,
    following: ObservableMention | None,
    decays: Sequence[Place],
    ratio: CompiledTerm,
) -> ObservableMention | None:
    argument = next((d for d in decays if mention.start < d[0] <= mention.start + _REACH), None)
    if argument is None:
        return None
    if following is not None and following.template == mention.template and following.sure:
        below = next((d for d in decays if following.start < d[0] < following.end), None)
        if below is not None and _FRACTION.fullmatch(text[mention.end : following.start]):
            return _filled(mention, ratio, (argument[2].name, below[2].name), following.end)
    second = next((d for d in decays if argument[1] <= d[0] <= argument[1] + _REACH), None)
    if second is not None and _RELATIVE.fullmatch(unified(text[argument[1] : second[0]])):
        return _filled(mention, ratio, (argument[2].name, second[2].name), second[1])
    return None


def _filled(
    mention: ObservableMention, ratio: CompiledTerm, names: tuple[str, str], end: int
) -> ObservableMention | None:
    """The ratio; None where both names are one (they differ in something that names do not hold)."""
    if names[0] == names[1]:
        return None
    name = ratio.name.replace("{decay}", names[0]).replace("{decay2}", names[1])
    return replace(
        mention, end=end, name=name, template=ratio.name, attributes=dict(ratio.attributes), sure=True
    )


def _members(text: str, mention: ObservableMention, decays: Sequence[Place]) -> Iterator[ObservableMention]:
    if mention.template.count("{") == 1 and "{decay}" in mention.template:
        names = [d[2].name for d in _decay_list(text, mention, decays)]
        if len(names) >= 2:
            for name in dict.fromkeys(names):
                yield replace(mention, name=mention.template.replace("{decay}", name), sure=True)
            return
    if mention.template.count("{") == 1 and "{particle}" in mention.template:
        particles = list(dict.fromkeys(_particle_list(text, mention)))
        if particles:
            yield from (_of_particle(mention, particle) for particle in particles)
            return
    if "{particle2}" in mention.template:
        pair = list(dict.fromkeys(_particle_list(text, mention)))
        if len(pair) == 2:
            name = mention.template.replace("{particle}", pair[0]).replace("{particle2}", pair[1])
            yield replace(mention, name=name, sure=True)
            return
    yield mention


def _decay_list(text: str, mention: ObservableMention, decays: Sequence[Place]) -> list[Place]:
    after = [d for d in decays if d[1] > mention.start]
    if not after or after[0][0] - mention.end > _REACH:
        return []
    if after[0][0] > mention.end and not _FIRST.fullmatch(unified(text[mention.end : after[0][0]])):
        return []
    chain = [after[0]]
    for decay in after[1:_MOST]:
        if not _JOIN.fullmatch(unified(text[chain[-1][1] : decay[0]])):
            break
        chain.append(decay)
    return chain


def _particle_list(text: str, mention: ObservableMention) -> Iterator[str]:
    start = _LIST.match(text, mention.end)
    if start is None:
        return
    at = start.end()
    for _ in range(_MOST):
        item = _ITEM.match(text, at)
        name = particle_name(item.group()) if item else ""
        if item is None or not name:
            return
        yield name
        join = _JOIN.match(unified(text), item.end())
        if join is None or join.end() == item.end():
            return
        at = join.end()
