"""Times of day as questions write them, and texts that stores keep them in."""

from __future__ import annotations

import re
from typing import Final

from cypher.word_lists import NUMBERS

_HOURS: Final = {word: number for word, number in NUMBERS.items() if number <= 12}
_HOUR: Final = rf"(?:\d{{1,2}}|{'|'.join(_HOURS)})"
_HALVES: Final = {"half": 30, "quarter": 15, "a quarter": 15}
_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?(?::\d{2})?\s*(?P<half>[ap])\.?m\b\.?",
        rf"(?P<hour>{_HOUR})(?:[:.](?P<minute>\d{{2}}))?(?: o'?clock)? (?:in the|at) "
        r"(?P<part>morning|afternoon|evening|night)\b",
        r"(?P<hour>\d{1,2})[:h](?P<minute>\d{2})\b(?![:\d])(?:\s*(?:hours|hrs|h)\b)?",
        r"(?P<hour>\d{1,2})\.(?P<minute>\d{2})(?![.\d])(?:\s*(?:hours|hrs|h)\b)?",
        r"(?P<hour>[0-2]\d)(?P<minute>[0-5]\d)\s?(?:hours|hrs)\b",
        rf"(?P<hour>{_HOUR}) o'?clock",
        rf"(?P<shift>half|a quarter|quarter) (?P<way>past|to) (?P<hour>{_HOUR})\b",
        r"(?P<name>noon|midday|midnight)\b",
    )
)
_STORED: Final = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


def is_time(value: object) -> bool:
    """Whether a text is a time of day as ``hh:mm``, in which order of texts is order of times.

    >>> is_time("06:20"), is_time("6:20"), is_time("25:00")
    (True, False, False)
    """
    return isinstance(value, str) and _STORED.fullmatch(value) is not None


def time_at(text: str, start: int) -> tuple[str, str] | None:
    """The time of day written at a place, as ``hh:mm``, and as it is written.

    >>> time_at("at 8.36 pm", 3), time_at("half past six", 0), time_at("25:10", 0)
    (('20:36', '8.36 pm'), ('06:30', 'half past six'), None)
    """
    for form in _FORMS:
        if (m := form.match(text, start)) and (found := _read(m)):
            return found, m[0]
    return None


def _read(m: re.Match[str]) -> str | None:
    said = {key: (found or "").lower() for key, found in m.groupdict().items()}
    if name := said.get("name"):
        return "00:00" if name == "midnight" else "12:00"
    hour = _HOURS.get(said["hour"]) or int(said["hour"] if said["hour"].isdigit() else 99)
    minutes = 60 * hour + int(said.get("minute") or 0)
    if late := said.get("half") or said.get("part"):
        minutes = minutes % 720 + 720 * (late in ("p", "afternoon", "evening", "night"))
    if shift := said.get("shift"):
        minutes += _HALVES[shift] * (1 if said["way"] == "past" else -1)
    if hour > 23 or int(said.get("minute") or 0) > 59:
        return None
    return f"{minutes // 60:02}:{minutes % 60:02}"


def time_keys(time: str) -> frozenset[str]:
    """The keys (see :func:`cypher.semantics.text.value_key`) under which stores may hold a time of day.

    >>> sorted(time_keys("08:36"))
    ['08 36', '08 36 00', '8 36', '8 36 00']
    """
    hour, minute = time.split(":")
    forms = {f"{hour} {minute}", f"{int(hour)} {minute}"}
    return frozenset(forms | {f"{form} 00" for form in forms})
