"""What a builder of bodies is given and gives. Follows the reference on the wire, section 1."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, urlsplit

from covel_inspector.domain import Group, Protocol, Sentence
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.textpack import TextPack
from covel_inspector.engines.covel.wire.texts import Spot, Text, quoted, unmarked

Json = Any

EXPLICIT = "anthropic-explicit"
AUTO_PREFIX = "auto-prefix"
WITHOUT = "none"

BASE_URLS: Mapping[Protocol, str] = {
    Protocol.ANTHROPIC: "https://api.anthropic.com/v1",
    Protocol.OPENAI_CHAT: "https://api.openai.com/v1",
    Protocol.OPENAI_RESPONSES: "https://api.openai.com/v1",
    Protocol.GOOGLE: "https://generativelanguage.googleapis.com/v1beta",
}
"""The address of each protocol's own provider."""


class WireError(ValueError):
    """A request that an adapter refuses to send. ``code`` is the engine's name of the error."""

    def __init__(self, sentence: Sentence, code: str = "CONFIG_ERROR") -> None:
        self.sentence = sentence
        self.code = code
        super().__init__(str(sentence))


@dataclass(frozen=True, slots=True)
class WireTexts:
    """The three fixed texts that the wires write themselves."""

    opener: str
    response_format_lead: str
    image: str

    @classmethod
    def of(cls, pack: TextPack) -> "WireTexts":
        """The texts of a pack. Raises TextPackError when it lacks one."""
        return cls(
            pack.text("wire.anthropicOpener", "en"),
            pack.text("wire.responseFormatLead", "en"),
            pack.text("wire.imagePlaceholder", "en"),
        )


@dataclass(frozen=True, slots=True)
class WireCall:
    """One model call as an adapter gets it.

    ``tools`` in the kernel's shape or in that of the trace. ``metadata`` are the slot's free settings with
    ``parameterOverrides``, ``promptCacheKey`` and ``lateSystemAsUser``; ``defaults`` the runtime's preferences
    (``reasoningEffort``, ``toolChoice``). Empty ``base_url`` and ``cache_strategy`` mean the protocol's own.
    ``window`` and ``output_limit`` are what is known of the model, in the provider's tokens.
    """

    protocol: Protocol
    model: str
    messages: Sequence[KernelMessage]
    tools: Sequence[Mapping[str, Json]] = ()
    stream: bool = False
    base_url: str = ""
    cache_strategy: str = ""
    metadata: Mapping[str, Json] = field(default_factory=dict)
    defaults: Mapping[str, Json] = field(default_factory=dict)
    response_format: Json = None
    prompt_cache_key: str = ""
    window: int | None = None
    output_limit: int | None = None
    provider: str = ""

    @property
    def base(self) -> str:
        """The base URL in force, without a slash at its end."""
        return (self.base_url or BASE_URLS[self.protocol]).rstrip("/")

    @property
    def strategy(self) -> str:
        """The cache strategy in force."""
        return self.cache_strategy or (EXPLICIT if self.protocol is Protocol.ANTHROPIC else AUTO_PREFIX)

    @property
    def overrides(self) -> Mapping[str, Json]:
        """The slot's ``parameterOverrides``."""
        overrides = self.metadata.get("parameterOverrides")
        return overrides if isinstance(overrides, Mapping) else {}

    @property
    def schema(self) -> Json:
        """The schema of the wanted output; None when any text will do."""
        wanted = self.response_format
        if not isinstance(wanted, Mapping):
            return None
        return wanted.get("schema") if "schema" in wanted or "type" in wanted else wanted

    def path(self, end: str) -> str:
        """Path and query of the address for an end point such as ``/messages``."""
        return self._address.path + end

    @property
    def host(self) -> str:
        """Host of the base URL in lower case; empty when it is no address."""
        return self._address.hostname or ""

    @property
    def _address(self) -> SplitResult:
        try:
            return urlsplit(self.base)
        except ValueError:
            return SplitResult("", "", "", "", "")

    def forwarded(self, protected: Iterable[str]) -> dict[str, Json]:
        """The free settings without the ones that a wire keeps for itself, and without undefined ones."""
        withheld = frozenset(protected)
        return {key: value for key, value in self.metadata.items() if key not in withheld}


@dataclass(slots=True)
class Ledger:
    """Which text of a body stands where, while the body is built. Keys of containers, not paths: paths come last."""

    contents: list[tuple[dict[str, Json], str, int]] = field(default_factory=list)
    """Texts that are all of a message's content: nearly all of a long request, so they take the short way."""
    texts: list[tuple[Json, str | int, Text]] = field(default_factory=list)
    trees: list[tuple[Json, str | int, Spot]] = field(default_factory=list)

    def put(self, container: Json, key: str | int, text: Text) -> None:
        """Set a text, remembering where it is from."""
        container[key] = text.string
        if text.stretches:
            self.texts.append((container, key, text))

    def put_content(self, container: dict[str, Json], key: str, index: int, content: str) -> None:
        """Set a text that is the content of a message, without the engine's marks."""
        if SENTINEL in content:
            self.put(container, key, unmarked(quoted(content, Spot(Group.MESSAGES, index))))
            return
        container[key] = content
        self.contents.append((container, key, index))

    def texts_in(self, containers: Container[int]) -> Iterator[tuple[Json, Text]]:
        """The texts that were set in some containers, which are named by their identities."""
        for container, key, index in self.contents:
            if id(container) in containers:
                yield container, quoted(container[key], Spot(Group.MESSAGES, index))
        for container, _, text in self.texts:
            if id(container) in containers:
                yield container, text

    def put_tree(self, container: Json, key: str | int, value: Json, spot: Spot) -> None:
        """Set a value that is the JSON at a spot; the strings in it keep their place there."""
        container[key] = value
        self.trees.append((container, key, spot))


@dataclass(frozen=True, slots=True)
class Draft:
    """A finished body, the path it is sent to, and the ledger from which its traces are made on demand."""

    protocol: Protocol
    path: str
    body: dict[str, Json]
    ledger: Ledger
