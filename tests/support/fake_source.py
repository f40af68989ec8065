"""A small story in memory that behaves like an opened database: for tests of everything above the engines.

Two sessions. ``tide-01`` (English) has every outcome a verdict can have, a background turn, a failed turn, a concealed
call, a broken row and characters that are dangerous on a terminal. ``watch-01`` (Chinese) is calm: three turns in
which history grows, the turn context changes and a lorebook entry comes in.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fake_budgets import budget_run, compactions
from fake_explaining import FakeExplaining
from fake_measuring import measured_request
from fake_trees import TIDE, WATCH, clerk, narrator
from fake_wire import chat_body

from covel_inspector.domain import (
    Address,
    AddressError,
    BodySource,
    BudgetRun,
    Call,
    Changes,
    CompactionReport,
    Difference,
    Event,
    Facts,
    FunctionCall,
    Group,
    Kind,
    MeasuredRequest,
    Place,
    Problem,
    Protocol,
    SegmentTree,
    Sentence,
    Session,
    Severity,
    SourceError,
    Status,
    Taken,
    Turn,
    TurnKind,
    Usage,
    Verdict,
    WireBody,
    plain,
    say,
)

ENGLISH = "tide-01"
CHINESE = "watch-01"


@dataclass(frozen=True, slots=True)
class FakeCall:
    """One call with everything the source can say about it."""

    call: Call
    recorded: SegmentTree | None
    rebuilt: SegmentTree | None
    verdict: Verdict


def identical(request: SegmentTree) -> Verdict:
    """Rebuilt from rows and files alone, all but the loop."""
    counted = [part.text for part in request.request.parts if part.group in (Group.SYSTEM, Group.MESSAGES)]
    loop = sum(len(leaf.text) for leaf in request.leaves() if leaf.kind is Kind.TOOL_RESULT)
    taken = (
        (Taken(Kind.TOOL_RESULT, "tool results", loop, say("results are kept in the recording only")),) if loop else ()
    )
    total = sum(map(len, counted))
    return Verdict(Status.IDENTICAL, say("every character is the same"), (), (), total - loop, total, taken)


def differs(recorded: SegmentTree, reason: Sentence) -> Verdict:
    """Differs in the player line, which is the last part."""
    last = len(recorded.request.parts) - 1
    place = Place(last, 0, len(recorded.request.parts[last].text))
    difference = Difference(Group.MESSAGES, plain("Player line"), place, place, reason)
    return Verdict(Status.DIFFERS, reason, (difference,), (), 120, 480)


class FakeSource(FakeExplaining):
    """A source over made-up calls. ``closed`` tells a test whether the file was given back."""

    estimator_name = "letters / 4"

    def __init__(
        self,
        sessions: Sequence[Session],
        turns: Sequence[Turn],
        calls: Sequence[FakeCall],
        problems: Sequence[Problem] = (),
        location: str = "fake-story.db",
    ) -> None:
        self.location = location
        self.closed = False
        self.interrupted = False
        self._sessions, self._turns, self._calls, self._problems = tuple(sessions), tuple(turns), calls, tuple(problems)

    def estimate(self, text: str) -> int:
        return -(-len(text) // 4)

    def facts(self) -> Facts:
        runtimes = {one.call.address.runtime for one in self._calls}
        return Facts(
            "Covel", self.location, "made up", say("read only, in memory"), len(self._sessions), len(self._calls),
            len(runtimes),
        )  # fmt: skip

    def sessions(self) -> Sequence[Session]:
        return self._sessions

    def turns(self, session: str) -> Sequence[Turn]:
        self._known(session)
        return tuple(turn for turn in self._turns if turn.session == session)

    def calls(self, session: str, turn: str | None = None) -> Sequence[Call]:
        self._known(session)
        calls = (one.call for one in self._calls if one.call.address.session == session)
        return tuple(call for call in calls if turn is None or call.address.turn == turn)

    def unsent(self, session: str, turn: str | None = None) -> Sequence[Call]:
        self._known(session)
        return ()

    def resolve(self, text: str) -> Address:
        parsed = Address.parse(text)
        fitting = [one.id for one in self._sessions if one.id.startswith(parsed.session)]
        exact = [name for name in fitting if name == parsed.session]
        if len(exact or fitting) != 1:
            raise AddressError(f"'{parsed.session}' names {len(fitting)} sessions; give more of its id")
        address = replace(parsed, session=(exact or fitting)[0])
        self._find(address)
        return address

    def recorded(self, address: Address) -> SegmentTree | None:
        return self._find(address).recorded

    def rebuilt(self, address: Address, changes: Changes | None = None) -> SegmentTree | None:
        return self._find(address).rebuilt

    def budget(self, address: Address, changes: Changes | None = None) -> BudgetRun | None:
        rebuilt = self.rebuilt(address, changes)
        if rebuilt is None:
            return None
        return budget_run(rebuilt, changes or Changes(), self.estimate)

    def unmatched(self, address: Address, changes: Changes) -> Sequence[Sentence]:
        tree = self.rebuilt(address)
        keys = {segment.key for segment in tree.walk()} if tree is not None else set()
        named = (*changes.without, *(key for key, _ in changes.texts), *changes.lore_on, *changes.lore_off)
        return tuple(plain(f"There is no “{key}” here.") for key in named if key not in keys)

    def compactions(self, session: str) -> CompactionReport:
        self._known(session)
        return compactions(session)

    def measured(self, session: str | None = None) -> Iterator[MeasuredRequest]:
        for one in self._calls:
            call = one.call
            if one.recorded is not None and session in (None, call.address.session):
                yield measured_request(call, one.recorded)

    def function_calls(self, session: str) -> Sequence[FunctionCall]:
        self._known(session)
        return ()

    def wire(
        self,
        address: Address,
        protocol: Protocol | None = None,
        source: BodySource = BodySource.RECORDED,
        changes: Changes | None = None,
    ) -> WireBody | None:
        rebuilt = source is BodySource.BUILT_FROM_REBUILT
        tree = self.rebuilt(address, changes) if rebuilt else self.recorded(address)
        wanted = protocol or Protocol.OPENAI_CHAT
        if tree is None or (source is BodySource.RECORDED and wanted is not Protocol.OPENAI_CHAT):
            return None
        return chat_body(tree, wanted, source)

    def verdict(self, address: Address) -> Verdict:
        return self._find(address).verdict

    def problems(self) -> Sequence[Problem]:
        return self._problems

    def changed_since(self, mark: str) -> tuple[str, bool]:
        return "1", mark not in ("", "1")

    def interrupt(self) -> None:
        self.interrupted = True

    def close(self) -> None:
        self.closed = True

    def _known(self, session: str) -> None:
        if session not in {one.id for one in self._sessions}:
            raise SourceError(f"There is no session '{session}' in {self.location}")

    def _find(self, address: Address) -> FakeCall:
        found = next((one for one in self._calls if one.call.address == address), None)
        if found is None:
            raise AddressError(f"There is no call {address} in {self.location}")
        return found


def _call(session: str, turn: str, runtime: str, number: int = 0, **fields: object) -> Call:
    made = Call(
        address=Address(session, turn, runtime, number),
        row=f"trace-{session}-{turn}-{runtime}-{number}",
        turn_id=f"{session}-t{turn}",
        step=number,
        model="imaginary-large",
        provider="imaginary",
        slot="story",
        plugin=runtime.partition("/")[0],
        started_at=f"2026-05-01T10:0{turn[0]}:0{number}.000Z",
        payload_bytes=2048,
        usage=Usage(800, 90, 640, 0),
    )
    return replace(made, **fields)  # type: ignore[arg-type]  # Fields of Call by name, as a test gives them.


def _english_calls() -> list[FakeCall]:
    first, second = narrator(TIDE, 1), narrator(TIDE, 2)
    stale = narrator(TIDE, 2, clock=False)
    looped = narrator(TIDE, 2, loop=True)
    ledger = clerk(TIDE, 1)
    concealed = say("the engine conceals the prompts of this runtime")
    broken = say("payload is no JSON: it ends in the middle of a text")
    nothing = Status.NOTHING_RECORDED
    blanks = say("blanks at the end of lines")
    normalised = replace(identical(ledger), status=Status.NORMALISED, normalisations=(blanks,))
    hint = say("the retry hint is not kept")
    return [
        FakeCall(_call(ENGLISH, "1", "narrator"), first, first, identical(first)),
        FakeCall(_call(ENGLISH, "1", "harbor-clerk/ledger"), ledger, ledger, normalised),
        FakeCall(
            _call(ENGLISH, "2", "narrator"),
            second,
            stale,
            differs(second, say("the rows of segment {name} are newer than this call", name="dimensions")),
        ),
        FakeCall(_call(ENGLISH, "2", "narrator", 1, finish="stop"), looped, looped, identical(looped)),
        FakeCall(
            _call(ENGLISH, "2", "harbor-clerk/ledger", usage=None, attempt=1),
            clerk(TIDE, 2),
            None,
            Verdict(Status.IMPOSSIBLE, hint),
        ),
        FakeCall(_call(ENGLISH, "2+1", "omens/quiet", concealed=True), None, None, Verdict(nothing, concealed)),
        FakeCall(_call(ENGLISH, "2+1", "painter", problem=broken), None, None, Verdict(nothing, broken)),
    ]


def _chinese_calls() -> list[FakeCall]:
    calls = []
    for turn in (1, 2, 3):
        request = narrator(WATCH, turn)
        calls.append(FakeCall(_call(CHINESE, str(turn), "narrator"), request, request, identical(request)))
    codex = clerk(WATCH, 2)
    reason = say("the body in the files is not the one that was sent")
    calls.insert(2, FakeCall(_call(CHINESE, "2", "codex"), codex, clerk(TIDE, 2), differs(codex, reason)))
    return calls


def fake_source(location: str = "fake-story.db") -> FakeSource:
    """The usual fake: two sessions, seven turns, eleven calls, two problems."""
    sessions = [
        Session(ENGLISH, "The Tide Clerk", "en-US", "tidewater", 3, 7, "2026-05-01T10:00:00Z", "2026-05-01T10:09:00Z"),
        Session(CHINESE, "第一次守夜", "zh-CN", "emberwatch", 3, 4, "2026-05-02T10:00:00Z", forked_from=""),
    ]
    both, later = ("narrator", "harbor-clerk/ledger"), ("omens/quiet", "painter")
    failed = say("failed before any request: the player's text did not fit")
    player, background = TurnKind.PLAYER, TurnKind.BACKGROUND
    turns = [
        Turn(ENGLISH, "1", f"{ENGLISH}-t1", player, TIDE.lines[0], "2026-05-01T10:01:00Z", 2, both),
        Turn(ENGLISH, "2", f"{ENGLISH}-t2", player, TIDE.lines[1], "2026-05-01T10:02:00Z", 3, both, (Event.RETRIED,)),
        Turn(ENGLISH, "2+1", f"{ENGLISH}-t2b", background, "", "2026-05-01T10:02:30Z", 2, later),
        Turn(
            ENGLISH, "3", f"{ENGLISH}-t3", player, TIDE.lines[2], "2026-05-01T10:03:00Z", 0, (), (Event.FAILED,), failed
        ),
        Turn(CHINESE, "1", f"{CHINESE}-t1", player, WATCH.lines[0], "2026-05-02T10:01:00Z", 1, ("narrator",)),
        Turn(CHINESE, "2", f"{CHINESE}-t2", player, WATCH.lines[1], "2026-05-02T10:02:00Z", 2, ("narrator", "codex")),
        Turn(CHINESE, "3", f"{CHINESE}-t3", player, WATCH.lines[2], "2026-05-02T10:03:00Z", 1, ("narrator",)),
    ]
    calls = [*_english_calls(), *_chinese_calls()]
    broken = next(one.call for one in calls if one.call.problem)
    problems = [
        Problem(Severity.ERROR, f"trace_events {broken.row}", broken.problem or say("broken"), broken.address),
        Problem(Severity.WARNING, "plugins/codex/PLUGIN.md:3", say("front matter is no YAML: {what}", what="a tab")),
    ]
    return FakeSource(sessions, turns, calls, problems, location)
