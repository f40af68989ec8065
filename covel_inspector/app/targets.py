"""What a call can be compared with. Plain values, no Qt."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain import Sentence, plain, say


class TargetKind(StrEnum):
    """The choices of "compare with"; the values are kept in the settings."""

    PREVIOUS_TURN = "previous-turn"
    REBUILT = "rebuilt"
    PREVIOUS_CALL = "previous-call"
    ADDRESS = "address"
    WHAT_IF = "what-if"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Target:
    """A choice; ``address`` is set exactly for ADDRESS (text form, may be shortened)."""

    kind: TargetKind = TargetKind.PREVIOUS_TURN
    address: str = ""

    @property
    def is_lasting(self) -> bool:
        """Whether the choice means something in another file too."""
        return self.kind not in (TargetKind.ADDRESS, TargetKind.WHAT_IF)

    @property
    def title(self) -> Sentence:
        """The choice in words, for the toolbar and the menu."""
        return plain(self.address) if self.kind is TargetKind.ADDRESS else TITLES[self.kind]


TITLES: dict[TargetKind, Sentence] = {
    TargetKind.PREVIOUS_TURN: say("previous turn"),
    TargetKind.REBUILT: say("recorded against rebuilt"),
    TargetKind.PREVIOUS_CALL: say("previous call"),
    TargetKind.ADDRESS: say("another call…"),
    TargetKind.WHAT_IF: say("what if"),
    TargetKind.NONE: say("nothing"),
}
