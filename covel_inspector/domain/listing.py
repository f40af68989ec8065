"""Lists, labels and paragraphs as the reader's language writes them: commas, colons and the gap between two sentences
are not the same in every language."""

from collections.abc import Iterable

from covel_inspector.domain.sentence import Sentence, plain, say


def enumerated(items: Iterable[Sentence | str]) -> Sentence:
    """All items in a line; nothing for none."""
    told: Sentence | None = None
    for item in items:
        more = item if isinstance(item, Sentence) else plain(item)
        told = more if told is None else say("{first}, {more}", first=told, more=more)
    return told if told is not None else plain("")


def labelled(label: Sentence | str, text: Sentence | str) -> Sentence:
    """A label, a colon and what it is about."""
    return say("{label}: {text}", label=label, text=text)


def joined(first: Sentence, *more: Sentence) -> Sentence:
    """Sentences one behind the other, as one paragraph."""
    told = first
    for sentence in more:
        told = say("{first} {second}", first=told, second=sentence)
    return told
