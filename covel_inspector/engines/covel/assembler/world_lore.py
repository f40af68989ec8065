"""The world's lore in a story runtime's prompt. Follows the reference on the assembler, sections 5 and 9."""

import re
from dataclasses import dataclass

from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.javascript import WHITESPACE_CLASS, trim, trim_end

LIMIT = 8000
"""Tokens by the engine's own estimator, whatever estimator the budget uses."""

_CLOSE = "</world-lore>"
_NARRATOR_MARK = re.compile(
    rf"<!--(?:(?!-->).)*?narrator(?:{WHITESPACE_CLASS}|[_-])*only(?:(?!-->).)*-->", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class FittedLore:
    """Lore as it fits. ``tokens`` is the engine's estimate of the whole lore, before any cut."""

    text: str
    tokens: int
    truncated: bool
    rest: str = ""
    """What was left out."""


def fit_lore(lore: str) -> FittedLore:
    """The lore, or its first whole lines that stay within the limit with ``…`` on a line behind them."""
    tokens = covel_tokens(lore)
    if tokens <= LIMIT:
        return FittedLore(lore, tokens, truncated=False)
    kept: list[str] = []
    total = 0
    lines = lore.split("\n")
    for line in lines:
        total += covel_tokens(line + "\n")
        if total > LIMIT:
            break
        kept.append(line)
    text = trim_end("\n".join(kept)) + "\n…"
    return FittedLore(text, tokens, truncated=True, rest="\n".join(lines[len(kept) :]))


def world_lore_block(fitted: FittedLore) -> str:
    """The block with its tags; in the lore each exact close tag is broken."""
    return f"<world-lore>\n{fitted.text.replace(_CLOSE, '&lt;/world-lore>')}\n{_CLOSE}"


def without_narrator_marks(lore: str) -> str:
    """The lore without the lines that mark narrator-only parts; what those lines enclose is kept.

    Taking a mark away never leaves two blank lines where one was, nor a blank line at the top.
    """
    if "<!--" not in lore:
        return lore
    kept: list[str] = []
    after_mark = False
    for line in lore.split("\n"):
        stripped = trim(line)
        if _NARRATOR_MARK.fullmatch(stripped):
            after_mark = True
            continue
        if after_mark and not stripped and (not kept or not trim(kept[-1])):
            after_mark = False
            continue
        after_mark = False
        kept.append(line)
    return "\n".join(kept)
