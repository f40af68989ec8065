"""What could not be read as it should."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain.address import Address
from covel_inspector.domain.sentence import Sentence


class Severity(StrEnum):
    """How much a problem matters."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a reader should know about a row or file that could not be read as it should."""

    severity: Severity
    where: str
    """Table and row id, or file and line."""
    sentence: Sentence
    address: Address | None = None
