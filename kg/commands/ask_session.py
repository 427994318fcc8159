"""One conversation on a terminal."""

from __future__ import annotations

import logging

from rich.console import Console
from rich.text import Text

from cypher.answers.events import DoneEvent, QueryEvent, RowsEvent, SentenceEvent
from kg.asking import Asking, fault_told
from kg.commands.common import out
from kg.question_log import QuestionLog
from kg.question_settings import QuestionSettings
from kg.show import print_answer
from schemas.errors import CorpusGraphError, UsageError
from schemas.questions import MAX_QUESTION, Answer, Question

log = logging.getLogger(__name__)
_ENDS = frozenset({"", "exit", "quit", "bye"})


def conversation_before(log: QuestionLog, settings: QuestionSettings) -> str:
    """The conversation that ``--follow`` goes on with; empty where no question was asked before.

    ``UsageError`` where none is kept that could be followed: an older one would be taken for the latest.
    """
    if settings.record != "full":
        raise UsageError(
            "expected a question to follow, and kg.toml keeps the words of none "
            f'(record = "{settings.record}" under [questions]); ask with -i, which remembers them, or set '
            'record = "full"'
        )
    return log.latest_conversation()


class Session:
    """Asks one question after the other and shows the answers as they come."""

    def __init__(
        self, asking: Asking, conversation: str, limits: Question, *, cypher: bool, writes: bool = False
    ) -> None:
        """``writes``: a chat model puts rows into words, which are shown as they come."""
        self._asking, self._conversation = asking, conversation
        self._limits, self._cypher, self._writes = limits, cypher, writes

    def talk(self, first: str = "") -> None:
        """Until an empty line, ``exit``, or the end of the input."""
        question = first or self._next()
        while question.strip().lower() not in _ENDS:
            try:
                with fault_told():
                    self.answer(question)
            except CorpusGraphError as e:
                log.debug("a question failed", exc_info=e)
                out().print(Text(str(e), style="red"))
            question = self._next()

    def answer(self, question: str, *, quiet: bool = False) -> Answer:
        """One answer, shown unless ``quiet``: sentences of a model as they are checked, then the rest."""
        if len(question) > MAX_QUESTION:
            raise UsageError(
                f"expected a question of at most {MAX_QUESTION} characters, found {len(question)}"
            )
        asked = self._limits.model_copy(update={"text": question})
        console, spoken, answer = out(), False, None
        aloud = not quiet and asked.use_llm and self._writes
        told: tuple[str, ...] = ()
        for event in self._asking.events(asked, conversation=self._conversation):
            match event:
                case QueryEvent(assumptions=assumptions) if aloud:
                    told = assumptions
                    for assumption in told:
                        console.print(Text(assumption))
                case RowsEvent(text=text) if aloud:
                    console.print(Text(text, style="dim"))
                    spoken = True
                case SentenceEvent(text=text) if not quiet:
                    console.print(Text(text))
                    spoken = True
                case DoneEvent(answer=found):
                    answer = found
        assert answer is not None
        if not quiet:
            self._show(answer, console, spoken=spoken, told=told)
        return answer

    def _show(self, answer: Answer, console: Console, *, spoken: bool, told: tuple[str, ...]) -> None:
        if answer.resolved:
            console.print(Text(f"Read as: {answer.resolved}", style="italic"))
        print_answer(answer, console, cypher=self._cypher, spoken=spoken, told=told)

    def _next(self) -> str:
        try:
            return out().input("ask> ")
        except EOFError:
            return ""
