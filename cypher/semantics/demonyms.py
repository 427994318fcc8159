"""Words for what is of a country: "Swedish suppliers" are those whose country is Sweden."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from cypher.semantics.text import identifier_words, value_key
from cypher.semantics.values import ValueTable
from schemas.store_schema import PropertyType, StoreSchema

_OF: Final = """
American:USA,United States,US,United States of America,U.S.A.,America
Argentine:Argentina;Argentinian:Argentina;Australian:Australia;Austrian:Austria;Belgian:Belgium
Brazilian:Brazil;British:UK,United Kingdom,Great Britain,Britain,GB;Bulgarian:Bulgaria;Canadian:Canada
Chilean:Chile;Chinese:China;Colombian:Colombia;Croatian:Croatia;Cuban:Cuba
Czech:Czech Republic,Czechia;Danish:Denmark;Dutch:Netherlands,The Netherlands,Holland;Egyptian:Egypt
English:England;Estonian:Estonia;Finnish:Finland;French:France;German:Germany;Ghanaian:Ghana;Greek:Greece
Hungarian:Hungary;Icelandic:Iceland;Indian:India;Indonesian:Indonesia;Iranian:Iran;Iraqi:Iraq;Irish:Ireland
Israeli:Israel;Italian:Italy;Japanese:Japan;Kenyan:Kenya;Korean:South Korea,Korea;Latvian:Latvia
Lithuanian:Lithuania;Luxembourgish:Luxembourg;Malaysian:Malaysia;Mexican:Mexico;Moroccan:Morocco
Nigerian:Nigeria;Norwegian:Norway;Pakistani:Pakistan;Peruvian:Peru;Filipino:Philippines;Polish:Poland
Portuguese:Portugal;Romanian:Romania;Russian:Russia,Russian Federation;Scottish:Scotland;Serbian:Serbia
Singaporean:Singapore;Slovak:Slovakia;Slovenian:Slovenia;Spanish:Spain;Swedish:Sweden;Swiss:Switzerland
Thai:Thailand;Tunisian:Tunisia;Turkish:Turkey;Ukrainian:Ukraine;Venezuelan:Venezuela;Vietnamese:Vietnam
Welsh:Wales
"""
DEMONYMS: Final[Mapping[str, tuple[str, ...]]] = {
    word: tuple(names.split(","))
    for word, _, names in (x.partition(":") for line in _OF.strip().splitlines() for x in line.split(";"))
}
"""Countries by the adjective for what is theirs, as English names them."""
_COUNTRY: Final = frozenset({"country", "nation", "nationality", "countries"})


def demonyms(schema: StoreSchema, values: ValueTable) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Other words for the countries that properties hold, by ``Label.property`` and value."""
    owned = {
        (label.name, prop.name)
        for label in schema.labels
        for prop in label.properties
        if prop.type is PropertyType.STRING
        and _COUNTRY & {w.lower() for w in (*identifier_words(prop.name), *_naming(label.name, prop.name))}
    }
    out: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for word, names in DEMONYMS.items():
        if values.exact(value_key(word)):
            continue
        for found in (v for name in names for v in values.exact(value_key(name))):
            if (found.owner, found.property) in owned:
                out[f"{found.owner}.{found.property}"].setdefault(found.text, []).append(word)
    return out


def _naming(label: str, name: str) -> tuple[str, ...]:
    return tuple(identifier_words(label)) if name in {"name", "title"} else ()
