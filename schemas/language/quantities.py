"""Quantities in scientific text: values, errors, powers of ten, units, limits.

The grammar reads what typesetting leaves of ``(3.0 \\pm 0.6 ^{+0.3}_{-0.2}) \\times 10^{-9}`` in plain
text, LaTeX or Unicode. Every step is a bounded match at one place, so time is linear in the text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from schemas.language.units import UNIT, canonical_unit, conversion
from schemas.language.written_units import read_unit
from schemas.model import Frozen

_GAP = r"[\s~&]{0,6}(?:\\[,;:! ]\s{0,2}){0,3}"
_THIN = r"(?:\\[,;:! ]|\{,\}|[\u00a0\u2009\u202f])"
"""Between thousands: thin and fixed spaces of LaTeX and Unicode."""
_THOUSANDS = rf"\d{{1,3}}(?:(?:,\d{{3}}){{1,4}}|(?:{_THIN}\d{{3}}){{1,4}}|(?: \d{{3}}){{1,2}})(?! ?\d)"
_FRACTION = rf"\.(?:\d{{3}}(?:{_THIN}\d{{3}}){{0,4}}{_THIN}\d{{2,3}}(?!\d)|\d{{1,15}})"
_DIGITS = rf"(?:{_THOUSANDS}|\d{{1,15}})(?:{_FRACTION})?|\.\d{{1,15}}"
_NUMBER = rf"(?:{_DIGITS})(?:[eE][+\-\u2212]?\d{{1,2}}(?!\d))?"
_MINUS = r"\-\u2212\u2013"
_START = re.compile(rf"(?<![\w.])(?<!\d['’])(?:(?<![\d\)\}}%])[+{_MINUS}]\s?)?(?:{_NUMBER})")
_ANY_NUMBER = re.compile(rf"(?<![\d.])(?:{_NUMBER})")
_SYMMETRIC = re.compile(rf"{_GAP}(?:±|\\pm|\+/[{_MINUS}]|\+[{_MINUS}])\s{{0,3}}(?P<size>{_NUMBER})")
_UP = rf"\^?\s{{0,2}}[{{(]{{0,2}}\s{{0,2}}\+{_GAP}(?P<plus>{_NUMBER})\s{{0,2}}[}})]{{0,2}}"
_DOWN = rf"[_/,]?\s{{0,2}}[{{(]{{0,2}}\s{{0,2}}[{_MINUS}]{_GAP}(?P<minus>{_NUMBER})\s{{0,2}}[}})]{{0,1}}"
_UP_DOWN = re.compile(rf"{_GAP}{_UP}{_GAP}{_DOWN}")
_DOWN_UP = re.compile(
    rf"{_GAP}_\s{{0,2}}[{{(]{{0,2}}\s{{0,2}}[{_MINUS}]{_GAP}(?P<minus>{_NUMBER})\s{{0,2}}[}})]{{0,2}}{_GAP}{_UP}"
)
_LABEL = re.compile(
    rf"{_GAP}_?[({{\[]{{0,2}}\s{{0,2}}(?:\\(?:rm|text|textrm|mathrm)\s{{0,2}}[({{]{{0,2}})?"
    r"(?P<label>stat|syst?|lumi|ext|theo|th|norm|exp|tot|model|int|br)"
    r"[a-z]{0,10}\.?\s{0,2}[)}\]]{1,2}",
    re.IGNORECASE,
)
_OTHER_LABEL = re.compile(
    rf"{_GAP}\((?!\s{{0,2}}[+{_MINUS}]?\d)(?P<label>[^()\d=±;,]{{1,24}}(?:\d[^()\d=±;,]{{0,6}}){{0,2}})\)"
    r"(?=\s{0,3}(?:±|\\pm|\+/|\+[\-\u2212\u2013]|\^|\$?\s{0,2}(?:[kMGT]eV|[fpn]s|%)))"
)
"""A bracket that names the error before it where another or the unit follows: "± 0.2 (input) MeV"."""
_BARE_LABEL = re.compile(rf"{_GAP}(?P<label>stat|syst?)(?:\.|[a-z]{{0,10}}\b)", re.IGNORECASE)
_BOTH_LABELS = re.compile(
    r"stat.{0,14}(?:\+|⊕|&|/|\band\b).{0,3}sys|sys.{0,14}(?:\+|⊕|&|/|\band\b).{0,3}stat"
)
_CONCISE = re.compile(r"\((?P<digits>\d{1,3})\)")
_SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_SUPERSCRIPTS = str.maketrans(_SUPERSCRIPT, "0123456789+-")
_TIMES = rf"{_GAP}(?:×|\\times|\\cdot|[x·*⋅]){_GAP}"
_POWER = re.compile(
    rf"{_TIMES}10\s{{0,2}}(?:\^\s{{0,2}}[{{(]?\s{{0,2}}(?P<exponent>[+{_MINUS}]?\d{{1,2}})\s{{0,2}}[}})]?"
    rf"|(?P<raised>[{_SUPERSCRIPT}]{{1,4}})|(?P<flat>[{_MINUS}]\d{{1,2}}))"
)
_BARE_POWER = re.compile(
    rf"(?<![\d.])10(?:\s{{0,2}}\^\s{{0,2}}[{{(]?\s{{0,2}}(?P<exponent>[+{_MINUS}]?\d{{1,2}})\s{{0,2}}[}})]?"
    rf"|(?P<raised>[{_SUPERSCRIPT}]{{1,4}})|(?P<flat>[{_MINUS}]\d{{1,2}}(?![\d.])))"
)
_WITH_SIGN = r"\d{1,15}(?:[,·٫]\d{1,15})?"
_ERROR_AFTER = rf"(?:\s?\([a-z.]{{3,12}}\))?\s{{0,3}}(?:±|\\pm|\+/?[{_MINUS}])\s{{0,3}}"
_SIGNED = re.compile(rf"(?<![\w.,·٫]){_WITH_SIGN}(?:{_ERROR_AFTER}{_WITH_SIGN}){{1,6}}(?![\d.])")
"""A value and its errors, of which some may be written with a decimal comma or a raised point."""
_DECIMAL_SIGN = re.compile(r"(?<![\d.,·٫])(?:0[,·٫]\d|\d{1,15}(?:[·٫]\d|,(?!\d{3}(?!\d))\d))")
_UNIT_AT = re.compile(rf"{_GAP}(?:\$\s{{0,2}})?(?:\\?(?P<percent>%)|(?P<unit>{UNIT}))")
_CLOSE = re.compile(r"\s{0,3}(?:\\right)?\s{0,2}[)\]}]")
_OPEN = re.compile(r"[(\[{]\s{0,3}$")
_LEVEL = re.compile(
    rf"^{_GAP}[,(\[]?\s{{0,2}}(?:at|with)?(?:\s(?:the|a))?\s{{0,2}}(?P<level>\d{{2}}(?:\.\d{{1,4}})?)\s{{0,2}}\\?%"
    r"\s{0,2}[({]?\s{0,2}(?:CL|C\.\s?L\.|confidence|credib)",
    re.IGNORECASE,
)
_LEVEL_BEFORE = re.compile(
    r"(?<!\d)(?P<level>\d{2}(?:\.\d{1,4})?)\s{0,2}\\?%\s{0,2}[({]?\s{0,2}(?:CL|C\.\s?L\.|confidence|credib)",
    re.IGNORECASE,
)
_LIMIT_BEFORE = {
    "upper": re.compile(
        r"(?:<|≤|⩽|≲|\\leq?(?:slant)?|\bless\sthan|\bbelow|\bupper\s(?:limit|bound)s?[^.;<>=]{0,120}?"
        r"(?:\bof|\bis|\bto\sbe|\bat|=))\s{0,3}[(\[{]?\s{0,2}$",
        re.IGNORECASE,
    ),
    "lower": re.compile(
        r"(?:>|≥|⩾|≳|\\geq?(?:slant)?|\b(?:more|greater|larger)\sthan|\babove|"
        r"\blower\s(?:limit|bound)s?[^.;<>=]{0,120}?(?:\bof|\bis|\bto\sbe|\bat|=))\s{0,3}[(\[{]?\s{0,2}$",
        re.IGNORECASE,
    ),
}


class ErrorTerm(Frozen):
    """One error of a value, already multiplied by the power of ten; both sides are positive sizes."""

    plus: float
    minus: float
    label: Literal["", "stat", "syst", "other"] = ""
    """What the text calls it; empty where it says nothing."""


class Quantity(Frozen):
    """A number with what belongs to it, at ``start:end`` of the text it was found in."""

    start: int
    end: int
    text: str
    value: float
    """Multiplied by the power of ten; per cent stay per cent (see ``unit``)."""
    unit: str = ""
    """Canonical form, for example ``MeV/c^2``, ``ps^-1`` or ``%``; empty for a pure number."""
    errors: tuple[ErrorTerm, ...] = ()
    exponent: int = 0
    limit: Literal["", "upper", "lower"] = ""
    confidence_level: float | None = None
    """Per cent."""

    def error(self, label: Literal["stat", "syst"]) -> ErrorTerm | None:
        """The error of that label; unlabelled errors of two or more are read as statistical, systematic.

        >>> find_quantities("1.2 ± 0.1 ± 0.3 ps")[0].error("syst").plus
        0.3
        """
        for term in self.errors:
            if term.label == label:
                return term
        bare = [term for term in self.errors if not term.label]
        if len(bare) >= 2 and not any(term.label in {"stat", "syst"} for term in self.errors):
            return bare[0] if label == "stat" else bare[1]
        return None

    def total(self) -> ErrorTerm | None:
        """The whole error where statistical and systematic do not say it: a single one without such a label,
        or several with one of another kind, added in quadrature side by side as independent; else None.

        >>> find_quantities("5366.9 +- 0.2")[0].total().plus
        0.2
        >>> found = find_quantities("1.0 ± 0.3 (stat) ± 0.2 (syst) ± 0.6 (ext)")[0].total()
        >>> found.plus, found.label
        (0.7, 'other')
        """
        terms = self.errors
        named = [t for t in (self.error("stat"), self.error("syst")) if t is not None]
        if not terms or len(named) == len(terms):
            return None
        if len(terms) == 1:
            return terms[0]
        return ErrorTerm(
            plus=_quadrature([t.plus for t in terms]),
            minus=_quadrature([t.minus for t in terms]),
            label="other",
        )


def _quadrature(sizes: list[float]) -> float:
    """Root of the sum of squares, to twelve significant digits: nothing of binary rounding is kept."""
    return float(f"{math.hypot(*sizes):.12g}")


def find_quantities(text: str, *, offset: int = 0) -> tuple[Quantity, ...]:
    """All quantities of a text in order, without overlap; ``offset`` is added to their spans.

    >>> found = find_quantities("B = (3.0 ± 0.6 ^{+0.3}_{-0.2}) × 10^{-9}")[0]
    >>> found.value, found.errors[1].minus, found.exponent
    (3e-09, 2e-10, -9)
    >>> find_quantities("below 3.4×10^-9 at 95% CL")[0].confidence_level
    95.0
    """
    return tuple(_quantities(text, offset))


def _pointed(text: str) -> str:
    """The text, as long as it was, with points for the decimal commas of values with errors.

    >>> _pointed("5,3 ± 0,2 and 1,234 ± 56")
    '5.3 ± 0.2 and 1,234 ± 56'
    """
    return _SIGNED.sub(_with_points, text)


def _with_points(found: re.Match[str]) -> str:
    written = found.group()
    return re.sub(r"(?<=\d)[,·٫](?=\d)", ".", written) if _DECIMAL_SIGN.search(written) else written


def _quantities(written: str, offset: int) -> Iterator[Quantity]:
    position, text = 0, _pointed(written)
    while found := _START.search(text, position):
        bare = _BARE_POWER.match(text, found.start())
        if bare is not None:
            position = bare.end()
            continue
        quantity = _read(text, found, offset)
        start, end = quantity.start - offset, quantity.end - offset
        yield quantity if text is written else quantity.model_copy(update={"text": written[start:end]})
        position = quantity.end - offset


def _read(text: str, number: re.Match[str], offset: int) -> Quantity:
    raw, at = number.group(), number.end()
    terms, at = _read_errors(text, raw, at)
    start = number.start()
    opened = _OPEN.search(text, max(0, start - 4), start)
    closed = _CLOSE.match(text, at) if opened else None
    power = _POWER.match(text, closed.end() if closed else at)
    exponent = _exponent(power) if power else 0
    after = power.end() if power else closed.end() if closed else at
    unit, end = read_unit(text, after)
    if opened and closed and (power or unit):
        start = opened.start()
    elif closed and not power and not unit:
        end = at
    limit = _limit(text, start)
    return Quantity(
        start=start + offset,
        end=end + offset,
        text=text[start:end],
        value=_scaled(raw, exponent),
        unit=unit,
        errors=tuple(_term(plus, minus, label, exponent) for plus, minus, label in terms),
        exponent=exponent,
        limit=limit,
        confidence_level=_level(text, start, end, limit),
    )


def _read_errors(text: str, raw: str, at: int) -> tuple[list[tuple[str, str, str]], int]:
    terms: list[tuple[str, str, str]] = []
    begin = at
    concise = _CONCISE.match(text, at)
    if concise:
        size = _concise_size(raw, concise["digits"])
        terms.append((size, size, ""))
        at = concise.end()
    while len(terms) < 6:
        found = _SYMMETRIC.match(text, at) or _UP_DOWN.match(text, at) or _DOWN_UP.match(text, at)
        if found is None:
            break
        groups = found.groupdict()
        power = _BARE_POWER.match(text, found.start("size")) if "size" in groups else None
        at = power.end() if power else found.end()
        both = f"1e{_exponent(power)}" if power else groups.get("size")
        if both == "0":  # half of a number in another notation, as in "5, 1 ± 0, 3"
            return [], begin
        label = _LABEL.match(text, at) or _BARE_LABEL.match(text, at) or _OTHER_LABEL.match(text, at)
        at = _label_end(label) if label else at
        terms.append(
            (both or groups["plus"], both or groups["minus"], label["label"].lower() if label else "")
        )
    return terms, at


def _label_end(label: re.Match[str]) -> int:
    """The label's end without brackets that were opened before it: "(2.0 ± 0.5 (syst)) × 10^-9"."""
    opened = sum(label[0].count(sign) for sign in "({[")
    closed = sum(label[0].count(sign) for sign in ")}]")
    return label.end() - max(0, closed - opened)


def _concise_size(raw: str, digits: str) -> str:
    decimals = len(raw.partition(".")[2])
    return f"{int(digits)}e-{decimals}"


def _exponent(power: re.Match[str]) -> int:
    raised = power["raised"]
    digits = raised.translate(_SUPERSCRIPTS) if raised else power["exponent"] or power["flat"]
    return int(digits.replace("\u2212", "-").replace("\u2013", "-"))


def _scaled(raw: str, exponent: int = 0) -> float:
    cleaned = re.sub(r"[\s,;:!\\{}]", "", raw).replace("\u2212", "-").replace("\u2013", "-")
    return float(Decimal(cleaned).scaleb(exponent))


def _term(plus: str, minus: str, label: str, exponent: int) -> ErrorTerm:
    kind: Literal["", "stat", "syst", "other"] = "other" if label else ""
    if not _BOTH_LABELS.search(label):
        if label.startswith("stat"):
            kind = "stat"
        elif label.startswith("sys"):
            kind = "syst"
    return ErrorTerm(plus=_scaled(plus, exponent), minus=_scaled(minus, exponent), label=kind)


def _limit(text: str, start: int) -> Literal["", "upper", "lower"]:
    before = text[max(0, start - 160) : start]
    if _LIMIT_BEFORE["upper"].search(before):
        return "upper"
    return "lower" if _LIMIT_BEFORE["lower"].search(before) else ""


def _level(text: str, start: int, end: int, limit: str) -> float | None:
    after = _LEVEL.search(text[end : end + 60])
    if after:
        return float(after["level"])
    before = _LEVEL_BEFORE.search(text[max(0, start - 120) : start]) if limit else None
    return float(before["level"]) if before else None


def numbers_of(text: str) -> tuple[float, ...]:
    """Every number printed in a text, without powers of ten and units, in order.

    >>> numbers_of("1,200 events; (3.0 ± 0.6) × 10^-9")
    (1200.0, 3.0, 0.6, 10.0, 9.0)
    """
    return tuple(_scaled(found.group()) for found in _ANY_NUMBER.finditer(text))


def number_occurs(value: float, quote: str, *, unit: str = "") -> bool:
    """Whether a quote prints this number, up to sign, power of ten and unit.

    A printed number counts as itself, times any power of ten in the quote, as per cent or fraction
    where the quote has a per cent sign, and converted to ``unit`` from a unit in the quote. Compared
    to a relative 1e-9: no rounding is forgiven.

    >>> number_occurs(3.0e-9, "(3.0 ± 0.6) × 10^{-9}"), number_occurs(3.1e-9, "(3.0 ± 0.6) × 10^{-9}")
    (True, False)
    >>> number_occurs(1.479, "a lifetime of 1479 fs", unit="ps")
    True
    """
    wanted = abs(value)
    factors = _factors(quote, unit)
    return any(
        abs(wanted - abs(printed) * factor) <= 1e-9 * max(wanted, 1e-300)
        for printed in _printed(quote)
        for factor in factors
    )


def _printed(quote: str) -> Iterator[float]:
    yield from numbers_of(quote)
    for found in _BARE_POWER.finditer(quote):
        yield 10.0 ** _exponent(found)
    pointed = _pointed(quote)
    if pointed != quote:
        yield from numbers_of(pointed)
    for number in _START.finditer(quote):
        concise = _CONCISE.match(quote, number.end())
        if concise:
            yield float(_concise_size(number.group(), concise["digits"]))


def _factors(quote: str, unit: str) -> set[float]:
    powers = {1.0} | {10.0 ** _exponent(found) for found in _BARE_POWER.finditer(quote)}
    others = {1.0}
    if "%" in quote or "per cent" in quote or "percent" in quote:
        others |= {0.01}
    if unit:
        found = {canonical_unit(m["unit"]) for m in _UNIT_AT.finditer(quote) if m["unit"]}
        others |= {factor for source in found if (factor := conversion(source, unit))}
    return {power * other for power in powers for other in others}
