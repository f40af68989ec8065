"""What a request's tokens are made of before its budget: the blocks of the bar. Tokens by the engine's estimate."""

from collections.abc import Iterable, Mapping, Sequence

from covel_inspector.domain import BudgetShare, Kind, Sentence, say
from covel_inspector.engines.covel.budget.estimator import NON_TEXT_PART_TOKENS, Estimator, covel_tokens, message_tokens
from covel_inspector.engines.covel.budget.fixed_input import format_text, tool_text
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.budget_telling import count
from covel_inspector.engines.covel.rebuild.units import Unit
from covel_inspector.engines.covel.records.naming import TITLES

_TITLES: Mapping[Kind, Sentence] = {
    **TITLES,
    Kind.LORE: say("Lorebook"),
    Kind.EXTENSION: say("Segments of plugins"),
    Kind.MARK: say("Cache marks and blanks"),
}

INSERTED = "inserted"
"""The block of what stands between the messages of the story."""

UNKNOWN_INSERTED = say("Segment between the messages (source unknown)")
"""What a message of that block is called when nobody can name it: by its place, as the block is."""

_MESSAGES: Mapping[str, tuple[Sentence, Kind]] = {
    "summaries": (say("Summaries"), Kind.SUMMARY),
    "history": (TITLES[Kind.HISTORY], Kind.HISTORY),
    INSERTED: (say("Segments between the messages"), Kind.EXTENSION),
    "turn-context": (TITLES[Kind.TURN_CONTEXT], Kind.TURN_CONTEXT),
    "pictures": (say("Pictures, {n} each", n=count(NON_TEXT_PART_TOKENS)), Kind.PICTURES),
    "current-turn": (say("This turn"), Kind.PLAYER_LINE),
    "loop": (say("Tool loop"), Kind.TOOL_RESULT),
}

_CURRENT = frozenset({Kind.PLAYER_LINE, Kind.STORY, Kind.CUE, Kind.RETRY_HINT})


def shares_of(request: AssembledRequest, estimate: Estimator) -> tuple[BudgetShare, ...]:
    """The blocks in wire order. Together they weigh what the untrimmed request weighs."""
    found = list(_fixed(request))
    weights: dict[str, int] = {}
    for unit in request.units[1:]:
        name = share_of(unit)
        weights[name] = weights.get(name, 0) + message_tokens(unit.message, estimate)
    found.extend(
        BudgetShare(name, title, kind, weights[name]) for name, (title, kind) in _MESSAGES.items() if weights.get(name)
    )
    return tuple(found)


def share_of(unit: Unit) -> str:
    """The block that a message belongs to."""
    top = unit.leaves[0].path[0].key if unit.leaves and unit.leaves[0].path else ""
    kinds = {placed.leaf.kind for placed in unit.leaves}
    if top in ("loop", "turn-context", "history"):
        return top
    if Kind.SUMMARY in kinds:
        return "summaries"
    if kinds & _CURRENT:
        return "current-turn"
    if Kind.PICTURES in kinds:
        return "pictures"
    return INSERTED


def _fixed(request: AssembledRequest) -> list[BudgetShare]:
    """The fixed input is estimated as one string; each piece gets what it adds to the pieces before it."""
    weights: dict[str, int] = {}
    titles: dict[str, tuple[Sentence, Kind]] = {}
    so_far: list[str] = []
    before = 0
    for name, title, kind, text in _fixed_pieces(request):
        so_far.append(text)
        now = covel_tokens("".join(so_far))
        so_far = ["".join(so_far)]
        weights[name] = weights.get(name, 0) + now - before
        titles.setdefault(name, (title, kind))
        before = now
    return [BudgetShare(name, *titles[name], tokens) for name, tokens in weights.items() if tokens]


def _fixed_pieces(request: AssembledRequest) -> Iterable[tuple[str, Sentence, Kind, str]]:
    """Name, title, kind and text of the fixed input, cut where segments end. Joined they are what is estimated."""
    joint = ""
    for placed in request.units[0].leaves:
        leaf_kind = placed.leaf.kind
        kind: Kind = Kind.MARK if leaf_kind is Kind.SEPARATOR else leaf_kind
        yield kind.value, _TITLES.get(kind, placed.leaf.title), kind, placed.leaf.text
        joint = "\n"
    rest: Sequence[tuple[str, Sentence, Kind, str]] = (
        ("tools", say("Tools"), Kind.TOOL, tool_text(request.tools)),
        ("response-format", TITLES[Kind.RESPONSE_FORMAT], Kind.RESPONSE_FORMAT, _response_format(request)),
        ("retry-allowance", say("Room for a retry hint"), Kind.RETRY_HINT, request.retry_text),
    )
    for name, title, kind, text in rest:
        if text:
            yield name, title, kind, joint + text
            joint = "\n"


def _response_format(request: AssembledRequest) -> str:
    """The engine counts it twice."""
    text = format_text(request.response_format)
    return f"{text}\n{text}" if text else ""
