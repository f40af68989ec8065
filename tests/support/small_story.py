"""A small story by hand, and calls in it, for tests that bend one thing at a time."""

from dataclasses import dataclass, field, replace
from typing import Any

from covel_inspector.domain import Segment, SegmentTree
from covel_inspector.engines.covel.attribution import CallMoment, SessionEvidence, attribute, index_session
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.manifests import Checkout
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.records.rows import (
    LorebookRow,
    SessionRow,
    SummaryRow,
    TurnMessageRow,
    TurnResultRow,
)

PREAMBLE = "[RUNTIME] One.\n[LANGUAGE] Two.\n[COMPLETION] Three."
BODY = "You tell the story.\n\n<rules>\nOne step at a time.\n</rules>"
CONTEXT = '<runtime-inputs>\n{"narrative":{"cardinality":"one","value":"x","source":{}}}\n</runtime-inputs>'
CONTEXT_KEYS = ("inputs-open", "input:narrative", "inputs-close")
"""Keys of the leaves that the context is made of."""


def system_prompt(*pieces: str, tail: str = "") -> str:
    """Pieces as the engine joins them: a mark behind each but the tail."""
    texts = [f"{piece}{SENTINEL}" for piece in (PREAMBLE, BODY, *pieces)]
    return "\n\n".join([*texts, tail] if tail else texts)


@dataclass
class Story:
    """Three committed turns of a player and a narrator, and a fourth one running at ``now``."""

    now: str = "2026-01-01T04:00:00.000Z"
    plugins: tuple[str, ...] = ("narrator", "codex")
    runtime: str = "narrator"
    lines: tuple[str, ...] = ("I knock.", "I wait.", "I go in.")
    replies: tuple[str, ...] = ("Nobody answers.", "A light moves.", "It is warm inside.")
    current: str = "I sit down."
    told: str = ""
    lore: tuple[LorebookRow, ...] = ()
    summaries: tuple[SummaryRow, ...] = ()
    checkout: Checkout | None = None
    extra_rows: tuple[TurnMessageRow, ...] = ()
    attempt: int = 0
    changes: dict[str, Any] = field(default_factory=dict)

    def rows(self) -> list[TurnMessageRow]:
        """History rows of all four turns; the fourth is committed after ``now``."""
        rows: list[TurnMessageRow] = []
        for number, line in enumerate((*self.lines, self.current), 1):
            rows.append(self.row(f"line-{number}", number, "player", "user", line))
            reply = self.replies[number - 1] if number <= len(self.replies) else self.told
            if reply:
                rows.append(self.row(f"reply-{number}", number, "runtime", "assistant", reply))
        return [*rows, *self.extra_rows]

    def row(
        self, name: str, turn: int, source: str, role: str, content: str, runtime: str = "narrator"
    ) -> TurnMessageRow:
        """One history row of a turn."""
        made_by = runtime if source == "runtime" else ""
        return TurnMessageRow(
            id=name,
            session_id="s",
            turn_id=f"turn-{turn}",
            source_type=source,
            source_plugin_id=made_by,
            source_runtime_id=made_by,
            role=role,
            content=content,
            order=0 if source == "player" else 2,
            created_at=f"2026-01-01T0{turn}:00:00.100Z",
        )

    def evidence(self) -> SessionEvidence:
        """The story as evidence."""
        turns = len(self.lines) + 1
        results = tuple(
            TurnResultRow(
                id=f"result-{number}",
                session_id="s",
                turn_id=f"turn-{number}",
                created_at=f"2026-01-01T0{number}:30:00.000Z",
            )
            for number in range(1, turns + 1)
        )
        evidence = SessionEvidence(
            session=SessionRow(id="s", locale="en-US", active_plugins=self.plugins),
            rows=tuple(self.rows()),
            turn_results=results,
            lorebook=self.lore,
            summaries=self.summaries,
            checkout=self.checkout,
        )
        return replace(evidence, **self.changes)

    def history(self) -> list[dict[str, Any]]:
        """The committed turns as messages."""
        messages = []
        for line, reply in zip(self.lines, self.replies, strict=True):
            messages += [{"role": "user", "content": line}, {"role": "assistant", "content": reply}]
        return messages

    def tree(self, *messages: dict[str, Any], system: str | None = None) -> SegmentTree:
        """The tree of a call with these messages behind the system prompt."""
        head = {"role": "system", "content": system_prompt() if system is None else system}
        call = RecordedCall.model_validate({"messages": [head, *messages]})
        moment = CallMoment(
            f"turn-{len(self.lines) + 1}", self.runtime, self.runtime.partition("/")[0], self.now, attempt=self.attempt
        )
        tree = attribute(call, moment, index_session(self.evidence()))
        assert tree.gaps() == []
        return tree


def user(text: str) -> dict[str, Any]:
    """A user message."""
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    """An assistant message."""
    return {"role": "assistant", "content": text}


def system(text: str) -> dict[str, Any]:
    """A system message behind the system prompt."""
    return {"role": "system", "content": text}


def message_leaves(tree: SegmentTree, number: int) -> list[Segment]:
    """The leaves of one message."""
    return [leaf for leaf in tree.leaves() if leaf.place and tree.request.parts[leaf.place.part].index == number]


def keys(tree: SegmentTree) -> list[str]:
    """Keys of the leaves behind the system prompt, in order."""
    return [
        leaf.key for leaf in tree.leaves() if leaf.place and tree.request.parts[leaf.place.part].group == "messages"
    ]
