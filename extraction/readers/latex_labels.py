"""Labels and arguments of floats and displays."""

from __future__ import annotations

from extraction.readers.latex_stack import TokenStack, plain
from extraction.readers.latex_tokens import CLOSE, CONTROL, OPEN, SPACE, VERBATIM, Token


def names_float(stack: TokenStack) -> bool:
    """Drops the type that ``\\captionof{table}`` names; False for the other captions."""
    token = stack.peek()
    if token is None or token.kind != OPEN:
        return False
    inside = stack.argument()
    if plain(inside) in {"table", "figure"}:
        return True
    stack.push([Token(OPEN, "{", 0), *inside, Token(CLOSE, "}", 0)])
    return False


def without_argument(stack: TokenStack) -> list[Token]:
    """All tokens but the first argument."""
    stack.argument()
    rest: list[Token] = []
    while (token := stack.pop()) is not None:
        rest.append(token)
    return rest


def label_of(tokens: list[Token]) -> str:
    """The first ``\\label`` among tokens."""
    for number, token in enumerate(tokens):
        if token.kind == CONTROL and token.text == "label":
            inside = tokens[number + 1 :][:40]
            names = [t.text for t in inside[1:] if t.kind not in {SPACE, VERBATIM}]
            ends = next((n for n, t in enumerate(inside) if t.kind == CLOSE), 0)
            return plain(inside[1:ends]) if ends else "".join(names[:1])
    return ""
