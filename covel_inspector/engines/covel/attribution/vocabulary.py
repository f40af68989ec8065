"""Which plugin's rows a text could be made of: phrases of stored values, looked up. Made when first asked for."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property

from covel_inspector.engines.covel.attribution.evidence import SessionEvidence

_MARKS = r""",.;:!?，。；：！？、（）()\[\]{}<>"“”'‘’|="""
_PHRASE = re.compile(rf"[^\s{_MARKS}][^{_MARKS}\n\r]*")
_SHARE = 0.6
_LEAST_PHRASES = 2
_SHORTEST = 4
_MOST_TEXT = 20_000
_SKIPPED_NAMESPACES = ("_hidden", "_runtime", "_logs")
_CHARACTERS = "characters"


class Vocabulary:
    """The phrases of the plugins' stored values and of the characters."""

    def __init__(self, evidence: SessionEvidence) -> None:
        self._evidence = evidence

    @cached_property
    def _owners(self) -> dict[str, set[str]]:
        owners: dict[str, set[str]] = defaultdict(set)
        active = set(self._evidence.session.active_plugins)
        for row in self._evidence.plugin_data:
            if row.plugin_id in active and not row.namespace.startswith(_SKIPPED_NAMESPACES):
                for text in _texts(row.value):
                    for phrase in _phrases(text):
                        owners[phrase].add(row.plugin_id)
        for character in self._evidence.characters:
            for text in (character.name, character.description, *_texts(character.fields)):
                for phrase in _phrases(text):
                    owners[phrase].add(_CHARACTERS)
        return owners

    def owner(self, text: str) -> str:
        """The one active plugin whose rows hold most phrases of the text; empty when none does, or others do too."""
        phrases = set(_phrases(text[:_MOST_TEXT]))
        if len(phrases) < _LEAST_PHRASES:
            return ""
        counts: Counter[str] = Counter()
        for phrase in phrases:
            counts.update(self._owners.get(phrase, ()))
        ranked = counts.most_common(2)
        if not ranked or ranked[0][1] < _SHARE * len(phrases) or ranked[0][0] == _CHARACTERS:
            return ""
        if len(ranked) > 1 and 2 * ranked[1][1] > ranked[0][1]:
            return ""
        return ranked[0][0]


def _phrases(text: str) -> Iterator[str]:
    for found in _PHRASE.finditer(text):
        phrase = found[0].strip()
        if len(phrase) >= (2 * _SHORTEST if phrase.isascii() else _SHORTEST):
            yield phrase


def _texts(value: object) -> Iterator[str]:
    waiting = [value]
    while waiting:
        member = waiting.pop()
        if isinstance(member, str):
            yield member
        elif isinstance(member, dict):
            waiting.extend(member.values())
        elif isinstance(member, list):
            waiting.extend(member)
