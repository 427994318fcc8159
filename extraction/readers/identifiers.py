"""arXiv numbers in file names and in the opening of a paper."""

from __future__ import annotations

import re
from typing import Final

_NEW_ID: Final = r"\d{4}\.\d{4,5}"
_OLD_ID: Final = r"[a-z-]+(?:\.[A-Z]{2})?/\d{7}"
_IN_NAME: Final = re.compile(rf"(?<![\d.])({_NEW_ID})(?:v\d+)?(?![\d])")
_STATED: Final = re.compile(rf"arXiv:({_NEW_ID}|{_OLD_ID})(?:v\d+)?\s*\[[a-z-]+(?:\.[A-Za-z-]+)?\]")


def arxiv_in_name(name: str) -> str:
    """The arXiv number in a file name, without its version; empty if none.

    >>> arxiv_in_name("lhcb-1705.05802v2.tex")
    '1705.05802'
    """
    found = _IN_NAME.search(name)
    return found.group(1) if found else ""


def stated_arxiv(opening: str) -> str:
    """The number that a paper states for itself (with its category, unlike one it cites); empty if none.

    >>> stated_arxiv("arXiv:2001.12345v3 [hep-ex] 3 Jan"), stated_arxiv("see arXiv:2001.12345")
    ('2001.12345', '')
    """
    found = _STATED.search(opening)
    return found.group(1) if found else ""
