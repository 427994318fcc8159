"""Irregular English forms, and what a word of a question may stand for in any schema."""

from __future__ import annotations

from typing import Final

IRREGULAR: Final = {
    "wrote": "write", "written": "write", "people": "person", "persons": "person", "children": "child",
    "made": "make", "held": "hold", "led": "lead", "met": "meet", "knew": "know", "known": "know",
    "gave": "give", "given": "give", "took": "take", "taken": "take", "bought": "buy", "sold": "sell",
    "sent": "send", "sung": "sing", "sang": "sing", "flew": "fly", "flown": "fly", "drove": "drive",
    "driven": "drive", "ran": "run", "owned": "own", "taught": "teach", "won": "win", "built": "build",
    "born": "born", "died": "die", "men": "man", "women": "woman", "found": "find", "spoke": "speak",
    "spoken": "speak", "lives": "live", "lived": "live", "living": "live", "series": "series",
    "species": "species", "has": "have", "had": "have", "having": "have", "was": "be", "were": "be",
    "is": "be", "are": "be", "been": "be", "fell": "fall", "fallen": "fall", "began": "begin",
    "came": "come", "grew": "grow", "paid": "pay", "said": "say", "saw": "see", "seen": "see",
    "thought": "think", "wore": "wear", "got": "get", "went": "go", "did": "do", "does": "do",
    "taxa": "taxon", "genera": "genus", "criteria": "criterion", "phenomena": "phenomenon", "media": "medium",
    "spent": "spend", "chose": "choose", "chosen": "choose", "shot": "shoot", "struck": "strike",
    "stood": "stand", "lay": "lie", "lain": "lie", "lies": "lie", "lying": "lie",
    "rang": "ring", "rung": "ring", "shown": "show", "showed": "show",
    "brought": "bring", "ate": "eat", "eaten": "eat", "fed": "feed", "sat": "sit", "fought": "fight",
    "left": "leave", "kept": "keep", "hung": "hang", "lost": "lose", "told": "tell", "spouses": "spouse",
    "outcomes": "outcome", "ids": "id", "indices": "index", "vertices": "vertex",
}  # fmt: skip
"""Irregular past, participle and plural forms."""

SYNONYMS: Final[tuple[frozenset[str], ...]] = tuple(
    frozenset(group.split())
    for group in (
        "person people human individual man woman",
        "avg average mean",
        "num nbr number count",
        "max maximum longest highest",
        "last latest",
        "min minimum shortest lowest",
        "birthdate birthday",
        "inception founding foundation establishment",
        "nationality citizenship",
        "start starting",
        "end ending",
        "movie film picture",
        "location place address venue site",
        "car vehicle automobile",
        "phone telephone",
        "email mail e-mail",
        "cost price",
        "company firm manufacturer",
        "organization organisation company firm",
        "employee worker staff",
        "country nation",
        "city town",
        "doctor physician",
        "drug medicine medication",
        "author writer",
        "actor actress",
        "policeman officer cop",
        "surname lastname",
        "crime offence offense",
        "friend acquaintance",
        "relative family kin",
        "make brand",
        "birth born",
        "spouse wife husband",
        "begin start",
        "finish end",
        "purchase buy",
        "order purchase",
        "reaction effect",
        "suspect accuse",
        "happen occur place",
        "release publish",
        "supply provide",
        "play act star appear perform feature",
        "home homeworld",
        "pilot fly",
        "live reside dwell",
        "include contain",
        "belong own",
    )
)
"""Groups of words that name the same thing in most schemas: general English, of no graph."""
