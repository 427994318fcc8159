"""What two have alike: "who shares her surname with Ann" is "who has the same surname as Ann"."""

from __future__ import annotations

from typing import Final

from cypher.semantics.rephrasing.rule import Rule, rule

_HAS: Final = {"share": "have", "shares": "has", "shared": "had", "sharing": "having"}
_THEIR: Final = r"(?:their|his|her|its)"
_NAME: Final = r"((?:[\w-]+ ){0,2}[\w-]+)"
RULES: Final[tuple[Rule, ...]] = (
    rule(
        r"^((?:which|what|how many) .+?) (do|did) ((?!both )(?:(?! and ).)+ and (?:(?! and ).)+?) "
        r"(?:share|have in common)(?=\s*[?.]*$)",
        r"\1 \2 both \3 have",
    ),
    rule(
        rf"\b(shares?|shared|sharing) {_THEIR} (?:own |same )?{_NAME} with\b",
        lambda found: f"{_HAS[found[1].lower()]} the same {found[2]} as",
    ),
    rule(rf"\b(have|has|had|having) {_THEIR} {_NAME} in common with\b", r"\1 the same \2 as"),
    rule(rf"\b(have|has|had|having) (?:a|an|the same) {_NAME} in common with\b", r"\1 the same \2 as"),
)
"""Tried in order, each once."""
