"""The ledger's questions: kept as the settings say, bounded, marked, and read by what learns from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cypher.answers.asker import Asker
from cypher.answers.reading import Reading
from cypher.generation.ports import Hints
from cypher.generation.prompting import Material, query_request
from cypher.generation.settings import LlmQuerySettings
from kg.asking import NOT_KEPT, UNKNOWN, Asking, Conversations, NoLog, new_conversation
from kg.ledger import Ledger
from kg.question_log import QuestionLog
from kg.question_rows import Verdict
from kg.question_settings import QuestionSettings
from kg.reviewed import ReviewedAnswers, ReviewedExamples
from schemas.errors import UsageError
from schemas.ports import Example
from schemas.questions import Answer, ModelUse, Outcome, Question, Scope, StageTime
from schemas.store_schema import StoreSchema


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.db") as opened:
        yield opened


def answered(text: str = "Which papers determine phi_s?", **more: object) -> Answer:
    base = Answer(
        outcome=Outcome.ANSWERED,
        question=text,
        text="two",
        columns=("paper",),
        rows=(("1",), ("2",)),
        cypher="MATCH (n0:`Paper`)-[r0:`DETERMINES`]->(n1) WHERE n1.`id` IN $p0 RETURN n0",
        parameters={"scope": ("draft",), "p0": ("o1",)},
        explanation="Lists papers.",
        shape="entities",
        confidence=0.95,
        seconds=0.02,
        stages=(StageTime(name="link", ms=1.5),),
    )
    return base.model_copy(update=more)


def test_a_question_is_kept_with_all_that_explains_its_outcome(ledger: Ledger) -> None:
    log = QuestionLog(ledger)
    use = ModelUse(model="m", calls=5, repairs=1, samples=5, agreeing=3, decided=True)
    answer = answered("and R_K?", resolved="Which papers determine R_K?", conversation="c1", model_use=use)
    number = log.add(Question(text="and R_K?", scope=Scope.VETTED), answer)
    kept = log.get(number)
    assert (kept.question, kept.resolved, kept.conversation) == ("and R_K?", answer.resolved, "c1")
    assert (kept.scope, kept.outcome, kept.shape) == (Scope.VETTED, Outcome.ANSWERED, "entities")
    assert (kept.query, kept.parameters) == (answer.cypher, answer.parameters)
    assert (kept.confidence, kept.rows, kept.stages, kept.model) == (0.95, 2, answer.stages, use)
    assert log.last("c1") == "Which papers determine R_K?"
    assert log.latest_conversation() == "c1"
    assert log.last("other") == log.last("") == ""


def test_what_a_reviewer_says_is_kept_without_control_characters(ledger: Ledger) -> None:
    log = QuestionLog(ledger)
    number = log.add(Question(text="Which?"), answered())
    kept = log.mark(number, Verdict.RIGHT, note="see\x1b[2J\x00\nTable 3 \ud800", by="e\x07v\x9be")
    assert (kept.note, kept.marked_by) == ("see[2J\nTable 3 ", "eve")
    log.correct(number, "RETURN 1", {}, note="a\x00b", by="\x1b[31mme")
    assert (log.get(number).note, log.get(number).corrected_by) == ("ab", "[31mme")


def test_a_question_among_marked_ones_is_kept(ledger: Ledger) -> None:
    log = QuestionLog(ledger, QuestionSettings(keep=3))
    for n in range(3):
        log.mark(log.add(Question(text=f"{n}?"), answered(f"{n}?")), Verdict.RIGHT)
    number = log.add(Question(text="new?"), answered("new?", conversation="c"))
    assert log.get(number).question == "new?"
    assert log.last("c") == "new?"
    assert len(log.rows()) == 3


def test_a_conversation_goes_on_with_its_own_store(ledger: Ledger) -> None:
    there, own = QuestionLog(ledger, store="bolt://db:7687"), QuestionLog(ledger)
    there.add(Question(text="Which orchards?"), answered("Which orchards?", conversation="c"))
    assert (there.last("c"), own.last("c")) == ("Which orchards?", "")


class Fixed:
    """A service that has one answer."""

    def ask(self, question: Question) -> Answer:
        return answered(question.text)

    def read(self, text: str) -> Reading:
        return Reading(False, text)

    def examples(self) -> tuple[str, ...]:
        return ()


@pytest.mark.parametrize(("seen", "outcome"), [(1, Outcome.FAILED), (2, Outcome.ANSWERED)])
def test_a_question_whose_asker_goes_away_is_kept(ledger: Ledger, seen: int, outcome: Outcome) -> None:
    log = QuestionLog(ledger)
    asking = Asking(Asker(Fixed()), log, Conversations())
    events = asking.events(Question(text="Which papers?"), conversation="c")
    told = [next(events) for _ in range(seen)]
    events.close()
    assert [e.event for e in told] == ["query", "rows"][:seen]
    (row,) = log.rows()
    assert (row.question, row.outcome, row.conversation) == ("Which papers?", outcome, "c")
    assert (row.query, row.rows) == ((answered().cypher, 2) if seen == 2 else ("", 0))


class Late(Fixed):
    """A service whose reads end early, as they do when they take too long or when nobody waits any more."""

    def ask(self, question: Question) -> Answer:
        return Answer(outcome=Outcome.TIMEOUT, question=question.text, text="The graph did not answer.")


@pytest.mark.parametrize(("left", "outcome"), [(True, Outcome.FAILED), (False, Outcome.TIMEOUT)])
@pytest.mark.parametrize("seen", [2, 3])
def test_an_asker_who_left_is_told_from_a_late_answer(
    ledger: Ledger, left: bool, outcome: Outcome, seen: int
) -> None:
    log = QuestionLog(ledger)
    asking = Asking(Asker(Late()), log, Conversations())
    events = asking.events(Question(text="Which papers?"), gone=lambda: left)
    for _ in range(seen):
        next(events)
    events.close()
    (row,) = log.rows()
    assert row.outcome is outcome
    assert ("went away" in row.explanation) is left


def test_an_answer_that_cannot_be_kept_is_given_with_a_note(
    ledger: Ledger, caplog: pytest.LogCaptureFixture
) -> None:
    asking = Asking(Asker(Fixed()), QuestionLog(ledger), Conversations())
    [(pages,)] = ledger.execute("PRAGMA page_count")
    ledger.execute(f"PRAGMA max_page_count = {pages}")
    text = "Which papers " + "and papers " * 1_000 + "?"
    answer = asking.ask(Question.model_construct(text=text), conversation="c")
    assert (answer.outcome, answer.rows, answer.number) == (Outcome.ANSWERED, (("1",), ("2",)), 0)
    assert answer.assumptions == (NOT_KEPT,)
    assert "disk is full" in caplog.text
    assert QuestionLog(ledger).rows() == ()


def test_a_conversation_that_nobody_knows_is_told(ledger: Ledger) -> None:
    def asked(asking: Asking, text: str = "Which papers?", *, continues: bool = True) -> tuple[str, ...]:
        return asking.ask(Question(text=text), conversation="c", continues=continues).assumptions

    unknown = (UNKNOWN.format("c"),)
    asking = Asking(Asker(Fixed()), QuestionLog(ledger), Conversations())
    assert asked(asking) == unknown
    assert "'c' is not known" in unknown[0]
    assert asked(asking) == ()
    restarted = Asking(Asker(Fixed()), QuestionLog(ledger), Conversations())
    assert asked(restarted) == ()
    forgetful = Asking(Asker(Fixed()), NoLog(), Conversations())
    assert asked(forgetful, continues=False) == ()
    assert asked(forgetful) == ()
    assert asked(Asking(Asker(Fixed()), NoLog(), Conversations())) == unknown


def test_a_conversation_is_known_also_where_nothing_was_understood() -> None:
    known = Conversations()
    asking = Asking(Asker(Fixed()), NoLog(), known)
    first = asking.ask(Question(text="and in 2019?"), conversation="c")
    assert first.outcome is Outcome.UNANSWERABLE
    again = asking.ask(Question(text="and in 2019?"), conversation="c", continues=True)
    assert (again.outcome, again.assumptions) == (Outcome.UNANSWERABLE, ())
    asking.ask(Question(text="Which papers?"), conversation="c", continues=True)
    assert known.last("c") == "Which papers?"
    known.keep("c", "")
    assert known.last("c") == "Which papers?"


class Broken(Fixed):
    """A service that fails as none should."""

    def ask(self, question: Question) -> Answer:
        raise ZeroDivisionError(question.text)


def test_a_question_that_ends_in_an_error_is_kept_and_the_error_is_raised(ledger: Ledger) -> None:
    log = QuestionLog(ledger)
    with pytest.raises(ZeroDivisionError):
        Asking(Asker(Broken()), log, Conversations()).ask(Question(text="Which papers?"), conversation="c")
    (row,) = log.rows()
    assert (row.outcome, row.conversation, row.query) == (Outcome.FAILED, "c", "")
    assert row.explanation == "It ended in an error (ZeroDivisionError)."


def test_a_whole_answer_is_kept_once(ledger: Ledger) -> None:
    log = QuestionLog(ledger)
    answer = Asking(Asker(Fixed()), log, Conversations()).ask(Question(text="Which papers?"))
    assert [row.number for row in log.rows()] == [answer.number]


def test_questions_are_listed_newest_first_and_by_outcome(ledger: Ledger) -> None:
    log = QuestionLog(ledger)
    for n in range(5):
        log.add(Question(text=f"q{n}"), answered(f"q{n}"))
    refused = Answer(outcome=Outcome.REFUSED, question="delete", text="no")
    log.add(Question(text="delete"), refused)
    assert [r.question for r in log.rows(limit=3)] == ["delete", "q4", "q3"]
    assert [r.question for r in log.rows(outcome=Outcome.REFUSED)] == ["delete"]
    with pytest.raises(UsageError, match="no question 99"):
        log.get(99)


def test_an_older_ledger_gets_the_new_columns_and_keeps_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE questions (id INTEGER PRIMARY KEY, at_utc TEXT NOT NULL, question TEXT NOT NULL, "
            "outcome TEXT NOT NULL, shape TEXT NOT NULL, rows INTEGER NOT NULL, seconds REAL NOT NULL)"
        )
        db.execute("INSERT INTO questions VALUES (7, '2026-01-01T00:00:00Z', 'old', 'answered', 'x', 3, 0.5)")
    db.close()
    with Ledger(path) as first, Ledger(path) as second:
        logs = [QuestionLog(first), QuestionLog(second)]
        assert logs[0].get(7).question == "old"
        assert logs[1].add(Question(text="new"), answered("new")) == 8


@pytest.mark.parametrize("record", ["outcome", "off"])
def test_without_leave_no_word_is_kept(ledger: Ledger, tmp_path: Path, record: str) -> None:
    log = QuestionLog(ledger, QuestionSettings.model_validate({"record": record}))
    secret = "Which papers determine my secret observable?"
    use = ModelUse(model="m", note="about my secret observable")
    number = log.add(Question(text=secret), answered(secret, conversation="c", model_use=use))
    assert bool(number) == (record == "outcome")
    everything = "\n".join(sqlite3.connect(tmp_path / "ledger.db").iterdump())
    assert "secret" not in everything
    assert "MATCH" not in everything
    if number:
        assert log.get(number).outcome is Outcome.ANSWERED
        with pytest.raises(UsageError, match="without its words"):
            log.mark(number, Verdict.RIGHT)


def test_the_size_is_bounded_and_marked_ones_stay_longest(ledger: Ledger) -> None:
    log = QuestionLog(ledger, QuestionSettings(keep=10))
    first = log.add(Question(text="first"), answered("first"))
    log.mark(first, Verdict.RIGHT)
    for n in range(30):
        log.add(Question(text=f"q{n}"), answered(f"q{n}"))
    kept = log.rows(limit=100)
    assert len(kept) == 10
    assert kept[-1].question == "first"
    assert kept[0].question == "q29"


def test_two_queries_are_no_example_of_one(ledger: Ledger) -> None:
    log = QuestionLog(ledger)
    both = answered("How many papers and how many decays?").model_copy(update={"shape": "two_questions"})
    log.mark(log.add(Question(text="both"), both), Verdict.RIGHT)
    log.mark(log.add(Question(text="one"), answered("Which papers determine phi_s?")), Verdict.RIGHT)
    assert [e.question for e in log.examples()] == ["Which papers determine phi_s?"]


def test_marks_feed_examples_and_labels(ledger: Ledger) -> None:
    log = QuestionLog(ledger)
    right = log.add(Question(text="a"), answered("Which papers determine phi_s?"))
    wrong = log.add(Question(text="b"), answered("How many decays contain K+?"))
    honest = log.add(Question(text="c"), Answer(outcome=Outcome.UNANSWERABLE, question="c", text="no"))
    bank = ReviewedExamples(log)
    assert bank.nearest("Which papers determine R_K?") == ()
    marked = log.mark(right, Verdict.RIGHT, note="checked", by="me")
    assert (marked.verdict, marked.note, marked.marked_by) == (Verdict.RIGHT, "checked", "me")
    log.mark(wrong, Verdict.WRONG)
    log.mark(honest, Verdict.RIGHT)
    [example] = bank.nearest("Which papers determine R_K?")
    assert (example.query, example.parameters["p0"]) == (answered().cypher, ("o1",))
    labels = log.labels()
    assert [(x.right, x.outcome) for x in labels] == [
        (True, "answered"),
        (False, "answered"),
        (True, "unanswerable"),
    ]
    assert labels[0].features["confidence"] == 0.95
    assert labels[0].features["hops"] == 1
    log.mark(right, Verdict.WRONG)
    assert bank.nearest("Which papers determine R_K?") == ()


def test_examples_of_a_store_name_nobody(ledger: Ledger) -> None:
    """They may have been asked without a model; those of the workspace's own graph stay as they are."""
    store, own = QuestionLog(ledger, store="bolt://x:7687"), QuestionLog(ledger)
    query = "MATCH (d:Doctor) WHERE d.name = $p0 RETURN d.phone"
    for log in (store, own):
        for name, told in (("Olle Berg", "Olle Berg"), ("Ada Lind", "Ada Lind"), ("Ida Falk", "Dr. Falk")):
            text = f"What is the phone of {told}?"
            asked = answered(text, cypher=query, parameters={"p0": name}, explanation=f"Of {name}.")
            log.mark(log.add(Question(text=text, use_llm=False), asked), Verdict.RIGHT)
    found = ReviewedExamples(store).nearest("What is the phone of Eva Holm?")
    assert [(e.question, e.query, e.parameters) for e in found] == [
        ("What is the phone of <name 1>?", query, {"p0": "<name 1>"})
    ]
    material = Material("What is the phone of Eva Holm?", StoreSchema(), Hints(), found)
    prompt = query_request(material, LlmQuerySettings(), sample=0).messages[-1].content
    assert "<name 1>" in prompt
    assert not any(name in prompt for name in ("Olle", "Berg", "Ada", "Lind", "Ida", "Falk"))
    assert len(ReviewedExamples(own).nearest("What is the phone of Eva Holm?")) == 3
    given = Example(question="What is the phone of Per Ek?", query=query, parameters={})
    both = ReviewedExamples(store, given=[given]).nearest("What is the phone of Eva Holm?")
    assert {e.question for e in both} == {given.question, "What is the phone of <name 1>?"}


def test_a_mark_is_known_to_the_next_answer_and_forgotten_when_taken_back(ledger: Ledger) -> None:
    log = QuestionLog(ledger)
    reviewed, asked = ReviewedAnswers(log), answered()
    number = log.add(Question(text=asked.question), asked)
    assert reviewed.weighed(asked) == asked
    log.mark(number, Verdict.WRONG, note="too many", by="me")
    withheld = reviewed.weighed(asked)
    assert withheld.outcome is Outcome.UNANSWERABLE
    assert "too many" in withheld.text
    log.mark(number, Verdict.RIGHT)
    assert reviewed.weighed(asked).confidence == 0.99
    unmarked = log.unmark(number)
    assert (unmarked.verdict, unmarked.note, unmarked.marked_by) == (None, "", "")
    assert reviewed.weighed(asked) == asked
    with pytest.raises(UsageError, match="is not marked"):
        log.unmark(number)


def test_a_correction_is_an_example_and_goes_with_its_mark(ledger: Ledger) -> None:
    log = QuestionLog(ledger)
    reviewed, bank = ReviewedAnswers(log), ReviewedExamples(log)
    number = log.add(Question(text="Which papers determine phi_s?"), answered())
    assert reviewed.corrections() == ()
    log.correct(number, "MATCH (n) WHERE n.name = $p0 RETURN n", {"p0": "phi_s"}, by="Ann", note="other")
    [given] = reviewed.corrections()
    assert (given.number, given.parameters, given.by) == (number, {"p0": "phi_s"}, "Ann")
    assert [e.query for e in bank.nearest("Which papers determine R_K?")] == [given.query]
    assert log.get(number).verdict is Verdict.WRONG
    log.correct(number, "MATCH (n) WHERE n.name = $p0 RETURN n", {"p0": "R_K"})
    assert reviewed.corrections()[0].parameters == {"p0": "R_K"}
    log.mark(number, Verdict.WRONG)
    assert len(reviewed.corrections()) == 1
    log.mark(number, Verdict.RIGHT)
    assert reviewed.corrections() == ()
    log.correct(number, "MATCH (n) RETURN n", {})
    log.unmark(number)
    assert reviewed.corrections() == ()
    assert log.get(number).corrected == ""


QUERY = "MATCH (n) WHERE n.name = $p0 RETURN n"


def _asked(ledger: Ledger) -> tuple[QuestionLog, int]:
    log = QuestionLog(ledger)
    return log, log.add(Question(text="Which papers determine phi_s?"), answered())


def test_a_query_stays_that_of_whoever_gave_it(ledger: Ledger) -> None:
    log, number = _asked(ledger)
    log.correct(number, QUERY, {"p0": "phi_s"}, by="Ann", note="other")
    given = log.corrections()
    assert given[0].by == "Ann"
    log.mark(number, Verdict.WRONG, by="Bob", note="still wrong")
    assert log.corrections() == given
    assert (log.get(number).marked_by, log.get(number).corrected_by) == ("Bob", "Ann")
    marks = log.unmark(number)
    assert (marks.verdict, marks.marked_by, marks.note) == (Verdict.WRONG, "Ann", "other")
    assert log.corrections() == given


def test_a_mark_that_is_taken_back_loses_no_query(ledger: Ledger) -> None:
    log, number = _asked(ledger)
    reviewed = ReviewedAnswers(log)
    log.correct(number, QUERY, {"p0": "phi_s"}, by="Ann")
    given = reviewed.corrections()
    log.mark(number, Verdict.RIGHT, by="Carl")
    assert reviewed.corrections() == ()
    log.unmark(number)
    assert reviewed.corrections() == given
    assert log.unmark(number).verdict is None
    assert reviewed.corrections() == ()


def test_a_query_that_is_taken_back_leaves_the_mark_before_it(ledger: Ledger) -> None:
    log, number = _asked(ledger)
    log.mark(number, Verdict.WRONG, by="Bob", note="too many")
    log.correct(number, QUERY, {"p0": "R_K"}, by="Ann")
    log.correct(number, QUERY, {"p0": "phi_s"}, by="Carl")
    left = log.unmark(number)
    assert (left.verdict, left.marked_by, left.note) == (Verdict.WRONG, "Bob", "too many")
    assert (left.corrected, left.corrected_by, left.corrected_utc) == ("", "", "")
    assert log.unmark(number).verdict is None


def test_a_query_of_an_older_ledger_is_that_of_its_mark(ledger: Ledger) -> None:
    log, number = _asked(ledger)
    log.correct(number, QUERY, {"p0": "phi_s"}, by="Ann", note="other")
    for name in ("corrected_by", "corrected_utc", "corrected_note", "marked_since", "earlier_verdict"):
        ledger.execute(f"ALTER TABLE questions DROP COLUMN {name}")
    log = QuestionLog(ledger)
    assert [c.by for c in log.corrections()] == ["Ann"]
    log.mark(number, Verdict.RIGHT, by="Bob")
    assert log.unmark(number).note == "other"
    assert [c.by for c in log.corrections()] == ["Ann"]


def test_answers_kept_without_words_weigh_nothing(ledger: Ledger) -> None:
    log = QuestionLog(ledger, QuestionSettings(record="outcome"))
    number = log.add(Question(text="q"), answered())
    log.mark(number, Verdict.WRONG)
    assert log.reviewed() == ()
    with pytest.raises(UsageError, match="without its words"):
        log.correct(number, "MATCH (n) RETURN n", {})


def test_many_threads_may_record_at_once(ledger: Ledger) -> None:
    log = QuestionLog(ledger)
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda n: log.add(Question(text=f"q{n}"), answered(f"q{n}")), range(80)))
    assert len(set(numbers)) == 80


def test_conversations_are_bounded_and_apart() -> None:
    known = Conversations(most=2)
    for name in ("a", "b", "a", "c"):
        known.keep(name, f"of {name}")
    assert (known.last("a"), known.last("b"), known.last("c")) == ("of a", "", "of c")
    assert len({new_conversation() for _ in range(100)}) == 100
