"""The nouns that every engine and every view share: address, request, segment, boundary, verdict, source.

No I/O, no Qt, no SQL. Values are immutable.
"""

from covel_inspector.domain.address import Address, AddressError
from covel_inspector.domain.budgeting import BudgetItem, BudgetOutcome, BudgetRun, BudgetShare, BudgetStep
from covel_inspector.domain.request import Field, Group, Part, Place, Request
from covel_inspector.domain.segment import (
    AbsenceReason,
    Absent,
    Boundary,
    Grade,
    Kind,
    Origin,
    Segment,
    SegmentTree,
    Setter,
    Volatility,
)
from covel_inspector.domain.sentence import LookUp, Sentence, plain, say
from covel_inspector.domain.source import (
    Changes,
    Facts,
    Opener,
    Problem,
    ReadCancelledError,
    Severity,
    Source,
    SourceError,
)
from covel_inspector.domain.story import Call, Event, Session, Turn, TurnKind, Usage
from covel_inspector.domain.verdict import Difference, Status, Taken, Verdict
from covel_inspector.domain.wire import (
    BodySource,
    JsonPath,
    MeasuredPart,
    MeasuredRequest,
    Protocol,
    WireBody,
    WireMark,
    WireTrace,
)

__all__ = [
    "AbsenceReason",
    "Absent",
    "Address",
    "AddressError",
    "BodySource",
    "Boundary",
    "BudgetItem",
    "BudgetOutcome",
    "BudgetRun",
    "BudgetShare",
    "BudgetStep",
    "Call",
    "Changes",
    "Difference",
    "Event",
    "Facts",
    "Field",
    "Grade",
    "Group",
    "JsonPath",
    "Kind",
    "LookUp",
    "MeasuredPart",
    "MeasuredRequest",
    "Opener",
    "Origin",
    "Part",
    "Place",
    "Problem",
    "Protocol",
    "ReadCancelledError",
    "Request",
    "Segment",
    "SegmentTree",
    "Sentence",
    "Session",
    "Setter",
    "Severity",
    "Source",
    "SourceError",
    "Status",
    "Taken",
    "Turn",
    "TurnKind",
    "Usage",
    "Verdict",
    "Volatility",
    "WireBody",
    "WireMark",
    "WireTrace",
    "plain",
    "say",
]
