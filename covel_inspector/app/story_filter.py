"""The filter of the story: a small language over the turns of a session. Pure.

Terms stand apart by blanks and must all fit; a minus before a term turns it round; quotes keep blanks together.
A term without an operator is looked for in the player's line, without regard to case.
"""

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from covel_inspector.domain import Event, Sentence, Turn, TurnKind, say


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """What a filter may ask about a turn. ``cached`` is a share of 0.0 to 1.0, None when nothing was reported."""

    turn: Turn
    cached: float | None


Test = Callable[[TurnFacts], bool]


class FilterError(ValueError):
    """A term that cannot be understood; ``sentence`` says what was expected."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Operator:
    """One word of the language: how it looks, what it means, and how its value becomes a test."""

    example: str
    help: Sentence
    pattern: str
    build: Callable[[re.Match[str]], Test]


def _build_runtime(found: re.Match[str]) -> Test:
    name = found["value"].casefold()
    return lambda facts: any(name in runtime.casefold() for runtime in facts.turn.runtimes)


def _build_turns(found: re.Match[str]) -> Test:
    first = int(found["first"])
    last = int(found["last"]) if found["last"] else first
    if last < first:
        raise FilterError(say("'{text}' ends before it begins", text=found[0]))
    return lambda facts: first <= _number(facts.turn) <= last


def _build_cached(found: re.Match[str]) -> Test:
    limit = int(found["value"]) / 100
    if found["sign"] == "<":
        return lambda facts: facts.cached is not None and facts.cached < limit
    return lambda facts: facts.cached is not None and facts.cached > limit


def _build_is(found: re.Match[str]) -> Test:
    word = found["value"].casefold()
    if word == TurnKind.BACKGROUND.value:
        return lambda facts: facts.turn.kind is TurnKind.BACKGROUND
    if word == "empty":
        return lambda facts: facts.turn.call_count == 0
    if word not in {event.value for event in Event}:
        known = ", ".join((*(event.value for event in Event), TurnKind.BACKGROUND.value, "empty"))
        raise FilterError(say("'{word}' is nothing a turn can be; known are {words}", word=word, words=known))
    event = Event(word)
    return lambda facts: event in facts.turn.events


OPERATORS: tuple[Operator, ...] = (
    Operator(
        "runtime:narrator",
        say("turns in which a runtime with this in its name made a call"),
        r"runtime:(?P<value>.+)",
        _build_runtime,
    ),
    Operator(
        "turn:9-15", say("turns by their number"), r"turn:(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?", _build_turns
    ),
    Operator(
        "cached<95",
        say("turns of whose input the provider read less (or, with >, more) than so many percent from its cache"),
        r"cached(?P<sign>[<>])(?P<value>\d{1,3})%?",
        _build_cached,
    ),
    Operator(
        "is:pruned",
        say("turns that are pruned, compacted, failed, retried, suspended, hook-rewrote, background or empty"),
        r"is:(?P<value>.+)",
        _build_is,
    ),
)

PLAIN_HELP: tuple[tuple[str, Sentence], ...] = (
    ("lantern", say("turns whose player line holds this")),
    ('"red lantern"', say("the same with blanks")),
    ("-lantern", say("a minus turns a term round: turns without it")),
)


@dataclass(frozen=True, slots=True)
class StoryFilter:
    """A filter that was understood, or the sentence that says why not (then every turn fits)."""

    tests: tuple[Test, ...] = ()
    problem: Sentence | None = None

    @property
    def active(self) -> bool:
        """True when it may leave turns out."""
        return bool(self.tests)

    def fits(self, facts: TurnFacts) -> bool:
        """True when a turn is to be shown."""
        return all(test(facts) for test in self.tests)


def parse(text: str) -> StoryFilter:
    """Understand a filter. An operator that is not finished yet is a problem and no filter."""
    try:
        return StoryFilter(tuple(_term(word) for word in _words(text)))
    except FilterError as error:
        return StoryFilter((), error.sentence)


def _words(text: str) -> Sequence[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars="")
    lexer.whitespace_split = True
    lexer.quotes = '"'
    lexer.escape = ""
    lexer.commenters = ""
    lexer.whitespace += "\u3000"
    try:
        return list(lexer)
    except ValueError as error:
        raise FilterError(say("a quotation mark is missing")) from error


def _term(word: str) -> Test:
    negated = len(word) > 1 and word.startswith("-")
    test = _positive(word[1:] if negated else word)
    return (lambda facts: not test(facts)) if negated else test


def _positive(word: str) -> Test:
    for operator in OPERATORS:
        found = re.fullmatch(operator.pattern, word, re.IGNORECASE)
        if found is not None:
            return operator.build(found)
    begun = re.match(r"(runtime:|turn:|is:|cached[<>])", word, re.IGNORECASE)
    if begun is not None:
        raise FilterError(say("'{text}' is not finished", text=word))
    wanted = word.casefold()
    return lambda facts: wanted in facts.turn.line.casefold()


def _number(turn: Turn) -> int:
    """The player turn a turn belongs to: 12 for "12" and "12+1"."""
    digits = turn.number.partition("+")[0]
    return int(digits) if digits.isdecimal() else -1
