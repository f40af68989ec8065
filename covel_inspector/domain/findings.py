"""What lint finds: a place, a reason and a remedy."""

from dataclasses import dataclass

from covel_inspector.domain.address import Address
from covel_inspector.domain.problem import Severity
from covel_inspector.domain.sentence import Sentence


@dataclass(frozen=True, slots=True)
class FindingPlace:
    """Where a finding is, as far as it applies: a line of a file, a row, a call and a segment in it.

    ``file`` is relative to the folder that was given; ``line`` counts from 1, 0 = not known. ``segment`` is the key of
    a segment in the recorded request at ``address``.
    """

    file: str = ""
    line: int = 0
    table: str = ""
    row: str = ""
    address: Address | None = None
    segment: str = ""

    @property
    def text(self) -> str:
        """The place in one line, most useful part first; empty when there is none."""
        if self.file:
            return f"{self.file}:{self.line}" if self.line else self.file
        if self.row:
            return f"{self.table} {self.row}".strip()
        return f"{self.address} {self.segment}".strip() if self.address is not None else self.segment


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of lint: its stable id such as ``unclosed-tag``, what it looks for, and how much it matters by default."""

    id: str
    title: Sentence
    severity: Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule broken at one place; ``rule`` is the rule's id.

    ``sentence`` says what is wrong and why that matters, ``remedy`` what to do. ``times`` counts the calls it was
    seen in; the place names the first.
    """

    rule: str
    severity: Severity
    title: Sentence
    sentence: Sentence
    remedy: Sentence
    place: FindingPlace
    times: int = 1
