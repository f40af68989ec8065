"""The nouns that every engine and every view share: address, request, segment, boundary, verdict, source.

No I/O, no Qt, no SQL. Values are immutable.
"""

from covel_inspector.domain.address import Address, AddressError
from covel_inspector.domain.budgeting import (
    BudgetExtra,
    BudgetItem,
    BudgetOutcome,
    BudgetRun,
    BudgetShare,
    BudgetStep,
)
from covel_inspector.domain.compaction import (
    CompactionAttempt,
    CompactionReport,
    CoveredRow,
    HintKind,
    MissingHint,
    NextCompaction,
    StorySummary,
)
from covel_inspector.domain.explaining import Explains
from covel_inspector.domain.findings import Finding, FindingPlace, Rule
from covel_inspector.domain.lorebook import LoreHistory, LoreHit, LoreOutcome, LoreRow, LoreState
from covel_inspector.domain.observation import GoOn, Observation, Standing
from covel_inspector.domain.plugins import (
    DeclaredInput,
    DeclaredSegment,
    Fate,
    PieceUse,
    PluginReport,
    RuntimeReport,
)
from covel_inspector.domain.problem import Problem, Severity
from covel_inspector.domain.request import Field, Group, Part, Place, Request
from covel_inspector.domain.segment import (
    AbsenceReason,
    Absent,
    Boundary,
    Grade,
    Kind,
    Origin,
    Reader,
    Segment,
    SegmentTree,
    Setter,
    Volatility,
)
from covel_inspector.domain.sentence import LookUp, Sentence, plain, say
from covel_inspector.domain.source import (
    Changes,
    Facts,
    ReadCancelledError,
    Source,
    SourceError,
)
from covel_inspector.domain.story import Call, Event, Session, TooLong, Turn, TurnKind, Usage
from covel_inspector.domain.template import TemplatePiece, TemplateReport, TemplateVariable, ValueSource
from covel_inspector.domain.verdict import Difference, Status, Taken, Verdict
from covel_inspector.domain.wire import (
    BodySource,
    FunctionCall,
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
    "BudgetExtra",
    "BudgetItem",
    "BudgetOutcome",
    "BudgetRun",
    "BudgetShare",
    "BudgetStep",
    "Call",
    "Changes",
    "CompactionAttempt",
    "CompactionReport",
    "CoveredRow",
    "DeclaredInput",
    "DeclaredSegment",
    "Difference",
    "Event",
    "Explains",
    "Facts",
    "Fate",
    "Field",
    "Finding",
    "FindingPlace",
    "FunctionCall",
    "GoOn",
    "Grade",
    "Group",
    "HintKind",
    "JsonPath",
    "Kind",
    "LookUp",
    "LoreHistory",
    "LoreHit",
    "LoreOutcome",
    "LoreRow",
    "LoreState",
    "MeasuredPart",
    "MeasuredRequest",
    "MissingHint",
    "NextCompaction",
    "Observation",
    "Origin",
    "Part",
    "PieceUse",
    "Place",
    "PluginReport",
    "Problem",
    "Protocol",
    "ReadCancelledError",
    "Reader",
    "Request",
    "Rule",
    "RuntimeReport",
    "Segment",
    "SegmentTree",
    "Sentence",
    "Session",
    "Setter",
    "Severity",
    "Source",
    "SourceError",
    "Standing",
    "Status",
    "StorySummary",
    "Taken",
    "TemplatePiece",
    "TemplateReport",
    "TemplateVariable",
    "TooLong",
    "Turn",
    "TurnKind",
    "Usage",
    "ValueSource",
    "Verdict",
    "Volatility",
    "WireBody",
    "WireMark",
    "WireTrace",
    "plain",
    "say",
]
