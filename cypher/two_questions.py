"""Two questions in one text, each about a thing of its own, and what an answer leaves out of such a text.

"How many papers determine X and how many determine Y?" asks for two numbers, and not for the papers that
determine both. Each half is read and answered by itself. Of "which paper is the newest on X and what value
does it give?" one half may be all that is answered; then that is said.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cypher import form as f
from cypher.answers_joined import joined
from cypher.asked_together import asks_of_one, contradicts, of_each, of_one, with_mean
from cypher.general.agree import of_form, of_plan
from cypher.general.kinds import Form as KindForm
from cypher.general.plan import Compare, GroupBy
from cypher.normalise import MAX_CHARACTERS, clean, quoted_spans, refusal
from cypher.schema_words import StatementWord, TypeWord
from cypher.understanding import Understood
from cypher.words import stem
from schemas.errors import QueryTimeoutError
from schemas.questions import Answer, Outcome, Question

_ASKING: Final = r"(?:how many|how often|which|what|who|when|where)"
_FIRST: Final = re.compile(rf"^(?:and )?(?P<word>{_ASKING})\b", re.IGNORECASE)
_HALVES: Final = re.compile(
    rf"^(?P<first>[^?;]+?)(?:[,;]? and|\?) (?P<second>(?:(?:with|by|in|from|for|on|of|through|via|using) )?"
    rf"{_ASKING}\b[^?;]*)[?.]?$",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(
    r"\b(?:it|its|they|them|their|theirs|each|that|this|those|these|ones?|he|she|his|her|both|respectively"
    r"|every|also|too|same|others?|another|else|only|not|no)\b|\bthere(?=\W*$)(?<!are there)",
    re.IGNORECASE,
)
"""Words of a second question that belong to the first one."""
_RELATIVE: Final = re.compile(r"\S \b(?:which|that|who|whose)\b", re.IGNORECASE)
_AT: Final = re.compile(
    r"(?:of|in|on|with|for|from|by|at|since|before|after|between|during)\b", re.IGNORECASE
)
_LIKE: Final = frozenset({"how many", "which", "what"})
_VALUES: Final = re.compile(
    r"\b(?:values?|numbers?|results?|limits?|bounds?|figures?|find|found|get|got|obtain|obtained|report|reported"
    r"|measured?|give|gave|much|large|big|small|precise|errors?|uncertaint(?:y|ies)|units?|eV)\b"
)
_OF_THESE: Final = re.compile(
    r"^(?:which|what|who) (?:is|are|was|were)(?: (?:it|that|they|those|ones?)\b.*)?$"
)
_COUNTS: Final = re.compile(r"^how (?:many|often)\b", re.IGNORECASE)
_MIN_SECONDS: Final = 0.05
MOST_AT_ONCE: Final = 3
"""Questions of one text that are answered: each more is read again with all that follow it."""


@dataclass(frozen=True, slots=True)
class Halves:
    """Both questions of a text, as they stand."""

    first: str
    second: str


def halves(text: str) -> Halves | None:
    """Both questions of a text that "and" joins; ``None`` where there is one.

    >>> halves("How many papers determine X, and how many determine Y?")
    Halves(first='How many papers determine X', second='how many determine Y')
    >>> halves("Which papers are those which determine X and which determine Y?")
    >>> halves("Which papers determine X and Y?")
    """
    found = None if quoted_spans(text) else _HALVES.match(text)
    if found is None or not _FIRST.match(found["first"]) or _RELATIVE.search(found["first"]):
        return None
    return Halves(found["first"].strip(), found["second"].strip())


def at_once(text: str) -> int:
    """How many questions a text asks.

    >>> at_once("How many papers determine X and Y?")
    1
    >>> at_once("How many papers determine X and how many determine Y and how many determine Z?")
    3
    """
    found, count = halves(text), 1
    while found is not None:
        found, count = halves(f"{found.second}?"), count + 1
    return count


@dataclass(frozen=True, slots=True)
class TwoQuestions:
    """Answers texts of one or two questions, of which the second may be two again.

    ``read`` and ``ask`` are of one; ``prepare`` reads, in its own time, what they need of the graph.
    """

    read: Callable[[str], Understood]
    ask: Callable[[Question], Answer]
    prepare: Callable[[], None]

    def answer(self, question: Question) -> Answer:
        """The answer to each half where each has one of its own; else that of the whole text.

        Reading what is asked is within the time limit, too.
        """
        text = clean(question.text[: 4 * MAX_CHARACTERS])
        if len(text) > MAX_CHARACTERS or refusal(text):
            return self.ask(question)
        parts = halves(text)
        if parts is None and all(split(text) is None for split in (with_mean, of_each, of_one)):
            return self.ask(question)
        if parts is not None and (many := at_once(text)) > MOST_AT_ONCE:
            said = f"This asks {many} questions at once. Ask at most {MOST_AT_ONCE} at a time."
            return Answer(outcome=Outcome.REFUSED, question=question.text, text=said)
        self.prepare()
        began = time.monotonic()
        together = self._together(text)
        if together is not None:
            return self._both(question, together, began)
        each = self._each(text, parts) if parts is not None else None
        if each is not None:
            return self._both(question, each, began)
        found = self.ask(_left(question, began))
        return self._told(found, parts) if parts is not None else found

    def _together(self, text: str) -> Halves | None:
        """The halves of a text that says once what it asks of several things."""
        mean = with_mean(text)
        if mean is not None:
            return Halves(*mean) if all(_is_read(self.read(f"{half}?")) for half in mean) else None
        if (each := of_one(text)) and self._are_one_by_one(text, each):
            return Halves(*each)
        several = of_each(text)
        if several is None:
            return None
        kind = asks_of_one(self.read(f"{several[0]}?"))
        last = several
        while kind and (rest := of_each(last[1])) is not None:
            last = rest
        return Halves(*several) if kind and asks_of_one(self.read(f"{last[1]}?")) == kind else None

    def _are_one_by_one(self, text: str, each: tuple[str, str]) -> bool:
        """Whether several quantities of one thing can be told only one by one."""
        whole = self.read(text)
        if _is_read(whole) and not contradicts(whole):
            return False
        rest = of_one(f"{each[1]}?")
        halves = (self.read(f"{each[0]}?"), self.read(f"{rest[0] if rest else each[1]}?"))
        return all(_is_read(half) and _names(half) for half in halves)

    def _both(self, question: Question, each: Halves, began: float) -> Answer:
        """The answers to both, in the time that the question has had since ``began``."""
        one = self.ask(_left(question, began, each.first))
        two = self.answer(_left(question, began, each.second))
        return joined(question, (each.first, each.second), (one, two))

    def _each(self, text: str, parts: Halves) -> Halves | None:
        """The halves as questions by themselves, where they are about things of their own."""
        first, second = _FIRST.match(parts.first), _FIRST.match(parts.second)
        if first is None or second is None or _POINTS.search(parts.second):
            return None
        if second["word"].lower() not in _LIKE:
            return None
        whole = self.read(text)
        one, two = self.read(f"{parts.first}?"), self.read(f"{parts.second}?")
        if _compares(whole) or not (_is_read(one) or _is_read(whole)):
            return None
        told, rest = parts.first[first.end() :].strip(), parts.second[second.end() :].strip()
        alike = first["word"].lower() == second["word"].lower()
        noun, its_own = _noun(told, one), _noun(rest, two, near=True)
        each = parts
        if alike and noun and noun == told and its_own:
            each = Halves(f"{parts.first} {rest.removeprefix(its_own).strip()}".strip(), parts.second)
            one = self.read(f"{each.first}?")
        elif alike and noun and not its_own:
            each = Halves(parts.first, _completed(parts.first, second["word"], noun, rest))
        nested = halves(f"{each.second}?")
        two = self.read(f"{nested.first if nested else each.second}?")
        if not _is_read(two):
            return each if alike and rest and _is_read(whole) else None
        same = alike and (not its_own or stem(noun) == stem(its_own))
        own = _names(two) or (same and _narrows(two)) or (alike and not _narrows(one) and not _narrows(two))
        return each if own else None

    def _told(self, answer: Answer, parts: Halves) -> Answer:
        """The answer, with which half it leaves out."""
        if answer.outcome is not Outcome.ANSWERED:
            return answer
        left = [] if _shows(answer, parts.second) else [parts.second]
        wanted = _things(self.read(f"{parts.first}?"))
        unlisted = bool(wanted) and wanted not in answer.columns and not _is_of_statements(answer)
        two_counts = all(_COUNTS.match(half) for half in (parts.first, parts.second))
        if unlisted or (two_counts and answer.columns == ("count",)):
            left.append(parts.first)
        notes = tuple(f"Not answered here: '{half}'. Ask that by itself." for half in left)
        return answer.model_copy(update={"assumptions": (*answer.assumptions, *notes)}) if notes else answer


def _left(question: Question, began: float, half: str = "") -> Question:
    """A question, or half of it, with what is left of its time; raises where none is."""
    left = question.timeout - (time.monotonic() - began)
    if left < _MIN_SECONDS:
        raise QueryTimeoutError("the time limit passed before all of the questions could be asked")
    return question.model_copy(update={"timeout": left} | ({"text": f"{half}?"} if half else {}))


def _completed(first: str, word: str, noun: str, rest: str) -> str:
    """A second question that leaves out what it shares with the first one.

    >>> _completed("How many papers determine X", "how many", "papers", "determine Y")
    'how many papers determine Y'
    >>> _completed("How many decays of the B0 are there", "how many", "decays", "of the B+")
    'How many decays of the B+ are there'
    >>> _completed("How many papers from 2015 determine X", "how many", "papers", "from 2016")
    'How many papers from 2016 determine X'
    >>> _completed("How many papers determine X", "how many", "papers", "in 2016")
    'how many in 2016'
    """
    found = _AT.match(rest)
    if found is None:
        return f"{word} {noun} {rest}"
    at = re.escape(found[0])
    year = re.compile(rf"\b{at} (?:19|20)\d\d\b", re.IGNORECASE)
    if year.fullmatch(rest) and len(year.findall(first)) == 1:
        return year.sub(lambda _: rest, first)
    last = re.match(rf"(?P<ahead>.*\b){at}\b.*?(?P<there>(?: (?:is|are) there)?)$", first, re.IGNORECASE)
    return f"{last['ahead']}{rest}{last['there']}" if last else f"{word} {rest}"


def _noun(behind: str, read: Understood, *, near: bool = False) -> str:
    """The words up to the first that names a kind of things; ``near``: with no more than one before it."""
    if _AT.match(behind):
        return ""
    for span in read.linked.spans:
        if any(isinstance(o, TypeWord | StatementWord) for o in span.options):
            most = 1 if near else 3
            found = re.match(rf"((?:\S+ ){{0,{most}}}?{re.escape(span.text)})\b", behind, re.IGNORECASE)
            if found:
                return found[1]
    return ""


def _is_read(found: Understood) -> bool:
    return found.plan is not None or found.decision.form is not None


def _compares(found: Understood) -> bool:
    """Whether the whole text is read as one number for each of several things."""
    if found.plan is not None:
        return isinstance(found.plan.head, Compare | GroupBy)
    return found.decision.form is not None and isinstance(found.decision.form.head, f.Compare | f.CountBy)


def _names(found: Understood) -> bool:
    """Whether a question names something, or a year or number."""
    if found.plan is not None:
        return bool(of_plan(found.plan).values)
    return found.decision.form is not None and bool(of_form(found.decision.form).values)


def _narrows(found: Understood) -> bool:
    """Whether a question says something of what it asks for."""
    if found.plan is not None:
        return bool(of_plan(found.plan).values or found.plan.root.branches)
    form = found.decision.form
    return form is not None and bool(of_form(form).values or form.conditions)


def _things(found: Understood) -> str:
    """The kind of things that a question lists; empty for any other question."""
    form = found.decision.form
    if found.plan is not None:
        kind = found.plan.root.kind
        return kind.owner.replace("_", " ") if kind.form is KindForm.ENTITY else ""
    if form is None or not isinstance(form.head, f.Entities | f.Top):
        return ""
    return "" if form.is_edge(form.head.var) else form.node(form.head.var).type.replace("_", " ")


def _is_of_statements(answer: Answer) -> bool:
    return "value" in answer.columns or "count" in answer.columns


def _shows(answer: Answer, second: str) -> bool:
    """Whether the rows show what a second question asks for."""
    words = {stem(w) for w in re.findall(r"[\w-]+", second)}
    if _OF_THESE.match(second) or (_COUNTS.match(second) and "count" in answer.columns):
        return True
    if {"when", "year"} & words and any("year" in c or "date" in c for c in answer.columns):
        return True
    columns = {stem(w) for c in answer.columns for w in c.split()}
    if columns & words:
        return True
    return bool({"value", "limit", "value text"} & set(answer.columns)) and bool(_VALUES.search(second))
