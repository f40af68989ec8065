"""Lists, labels and paragraphs as the reader's language writes them: commas, colons and the gap between two sentences
are not the same in every language.

A long list is halved again and again, so that rendering it goes as deep as its length has binary digits.
"""

from collections.abc import Callable, Iterable, Sequence

from covel_inspector.domain.sentence import Sentence, plain, say

MOST_NAMES = 20
"""Names that a sentence about many things names before it says how many more there are."""


def enumerated(items: Iterable[Sentence | str]) -> Sentence:
    """All items in a line; nothing for none."""
    told = [item if isinstance(item, Sentence) else plain(item) for item in items]
    return _paired(told, lambda first, more: say("{first}, {more}", first=first, more=more)) if told else plain("")


def shortened(items: Iterable[Sentence | str], most: int = MOST_NAMES) -> Sentence:
    """The first items in a line, and how many more there are; all of them where only one would be left out."""
    known = list(items)
    if len(known) <= most + 1:
        return enumerated(known)
    return say("{names} … and {n} more", names=enumerated(known[:most]), n=len(known) - most)


def labelled(label: Sentence | str, text: Sentence | str) -> Sentence:
    """A label, a colon and what it is about."""
    return say("{label}: {text}", label=label, text=text)


def joined(first: Sentence, *more: Sentence) -> Sentence:
    """Sentences one behind the other, as one paragraph."""
    return _paired((first, *more), lambda told, second: say("{first} {second}", first=told, second=second))


def _paired(told: Sequence[Sentence], pair: Callable[[Sentence, Sentence], Sentence]) -> Sentence:
    while len(told) > 1:
        halves = [pair(*told[at : at + 2]) for at in range(0, len(told) - 1, 2)]
        told = halves if len(told) % 2 == 0 else [*halves, told[-1]]
    return told[0]
