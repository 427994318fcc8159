"""What is wrong with an XML file, said for people: libxml2's words are for those who call it."""

from __future__ import annotations

import re
from typing import Final

_PLACE = re.compile(r", line \d+, column \d+(?: \(<string>, line \d+\))?\s*$")
_WORDS: Final = (
    (
        r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)",
        r"<\1> of line \2 closed by </\3>",
    ),
    (r"Premature end of data in tag (\S+) line (\d+)", r"<\1> of line \2 that is never closed"),
    (r"Couldn't find end of Start Tag (\S+).*", r"a tag <\1 that has no end"),
    (r"Start tag expected.*", "text that does not begin with a tag"),
    (r"Entity '(\S+)' not defined", r"the entity &\1;, which XML does not know: write the character itself"),
    (r"xmlParseEntityRef: no name|EntityRef: expecting ';'", "an & that stands alone: write &amp;"),
    (r"Extra content at the end of the document", "something after the end of the first element"),
    (r"Attribute (\S+) redefined", r"the attribute \1 twice in one tag"),
    (
        r"AttValue: .*|Specification mandates? value for attribute (?:\S+)|attributes construct error.*",
        'an attribute that is not written as name="value"',
    ),
    (r"Namespace prefix (\S+) .*is not defined", r"the prefix \1: of a name, which nothing declares"),
    (r".*invalid Char value (\d+)", r"the control character \1, which XML does not allow"),
    (r"Document is empty", "no element"),
)


def xml_fault(message: str) -> str:
    """The library's message in words that follow "found"; one that is not known stays, without its place.

    >>> xml_fault("Opening and ending tag mismatch: b line 1 and a, line 1, column 11 (<string>, line 1)")
    '<b> of line 1 closed by </a>'
    >>> xml_fault("xmlParseEntityRef: no name, line 3, column 5 (<string>, line 3)")
    'an & that stands alone: write &amp;'
    """
    bare = _PLACE.sub("", message)
    for pattern, words in _WORDS:
        found = re.fullmatch(pattern, bare, re.DOTALL)
        if found:
            return found.expand(words)
    return bare


def too_deep(message: str) -> bool:
    """Whether the library gave up because elements are nested too deeply."""
    return message.startswith("Excessive depth")
