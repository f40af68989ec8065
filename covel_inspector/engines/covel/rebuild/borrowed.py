"""What stands inside segments that rows and files give, and is from a recording all the same."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from covel_inspector.domain import Segment, Taken, say
from covel_inspector.engines.covel.rebuild.engine_words import EngineWords
from covel_inspector.engines.covel.rebuild.older_values import NEWER, OlderValue
from covel_inspector.engines.covel.rebuild.taken import LEARNED

_ENGINE_WORDS = say("The engine's own words inside other segments")
_OLDER_MEMBERS = say("Members of values that changed since")


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Learned sentences inside segments of another source, and older members of values, by the segment's key."""

    words: EngineWords = field(default_factory=EngineWords)
    older: Mapping[str, OlderValue] = field(default_factory=dict)

    def within(self, leaf: Segment) -> Iterator[Taken]:
        """What of a leaf comes from a recording, by kind, in code points; nothing for most."""
        yield Taken(leaf.kind, str(_ENGINE_WORDS), self.words.within(leaf), LEARNED)
        value = self.older.get(leaf.key.partition("#")[0])
        if value is not None:
            yield Taken(leaf.kind, str(_OLDER_MEMBERS), value.taken, NEWER)
