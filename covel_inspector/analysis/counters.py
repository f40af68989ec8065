"""Counts tokens of texts: what a counter is, the plain ones, and the cache around them.

Budget and trimming follow the engine's own estimator and nothing else; a tokenizer is for what a provider bills.
A figure is only worth something beside the name of the counter that made it.
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock
from typing import Protocol

from covel_inspector.domain import Sentence, say

_CACHED_COUNTS = 50_000

_DENSE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


class TokenCounter(Protocol):
    """Counts the tokens of one text at a time. The sum over pieces differs slightly from the count of the whole."""

    @property
    def name(self) -> str:
        """Short name beside figures: ``o200k_base``."""
        ...

    @property
    def exact(self) -> bool:
        """True when this is the model's own tokenizer."""
        ...

    @property
    def note(self) -> Sentence:
        """How figures are made, and how far they can be trusted."""
        ...

    def count(self, text: str) -> int:
        """Tokens of ``text``; 0 for the empty text."""
        ...


@dataclass(frozen=True, slots=True)
class RuleCounter:
    """A counter made of a plain function: an engine's estimator, or the character estimate."""

    name: str
    note: Sentence
    rule: Callable[[str], int]
    exact: bool = False

    def count(self, text: str) -> int:
        """Tokens of ``text`` by the rule."""
        return self.rule(text)


class CachedCount:
    """A rule that remembers. Keys are digests of texts, so that no text is kept alive; safe to share by threads."""

    def __init__(self, rule: Callable[[str], int], size: int = _CACHED_COUNTS) -> None:
        self._rule = rule
        self._size = size
        self._counts: OrderedDict[bytes, int] = OrderedDict()
        self._lock = Lock()

    def __call__(self, text: str) -> int:
        """Tokens of ``text``, counted once as long as it is remembered."""
        if not text:
            return 0
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            known = self._counts.get(key)
            if known is not None:
                self._counts.move_to_end(key)
                return known
        counted = self._rule(text)
        with self._lock:
            self._counts[key] = counted
            if len(self._counts) > self._size:
                self._counts.popitem(last=False)
        return counted


def engine_counter(name: str, estimate: Callable[[str], int]) -> TokenCounter:
    """The estimator of an engine as a counter: pass a source's ``estimator_name`` and ``estimate``."""
    return RuleCounter(name, say("Estimated by the engine's own rule ({name})", name=name), estimate)


def character_counter(why: Sentence) -> TokenCounter:
    """The estimate that is left when no vocabulary can be used; ``why`` says what happened."""
    note = say("Estimated by characters (Chinese, Japanese, Korean 1, others ¼ token): {why}", why=why)
    return RuleCounter("characters", note, character_estimate)


def character_estimate(text: str) -> int:
    """Dense characters count one token, four others count one; rounded up."""
    dense = sum(1 for _ in _DENSE.finditer(text))
    return dense + (len(text) - dense + 3) // 4
