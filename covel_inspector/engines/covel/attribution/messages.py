"""What each message behind the system prompt is. Follows the reference on attribution, section 3, steps g to o.

Equality with rows comes first; position and the engine's own marks decide the rest; what neither tells stays unknown.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from covel_inspector.domain import Grade, Kind
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.history import Turnline, align, row_label
from covel_inspector.engines.covel.attribution.history_doubts import begins_history, doubtful
from covel_inspector.engines.covel.attribution.index import IndexedRow, SessionIndex
from covel_inspector.engines.covel.attribution.loop import retry_hint
from covel_inspector.engines.covel.attribution.lore import as_guess, depth_label
from covel_inspector.engines.covel.attribution.message_labels import (
    CUE,
    LINE_TWICE,
    NOTHING_PRUNED,
    OLDER_STORY,
    PRUNED,
    line_label,
    placed_label,
    story_label,
)
from covel_inspector.engines.covel.attribution.near_history import near_label, near_rows
from covel_inspector.engines.covel.attribution.pictures import is_pictures
from covel_inspector.engines.covel.attribution.summaries import holds_summary, is_envelope, summary_text
from covel_inspector.engines.covel.attribution.turn_context import read_turn_context
from covel_inspector.engines.covel.attribution.waking import Waking
from covel_inspector.engines.covel.records.calls import KernelMessage

_ANY_TAG = re.compile(r"<[A-Za-z]")
_LONGEST_MARKER = 300


@dataclass(slots=True)
class Layout:
    """What was found of each message, by its number (the system prompt is message 0).

    ``labels`` cover whole messages; ``first``: the first message behind the system prompt; ``loop``: where the tool
    loop begins, ``end``: where it ends (a retry hint may follow).
    """

    first: int
    loop: int
    end: int
    labels: dict[int, Label] = field(default_factory=dict)
    history: tuple[int, int] = (0, 0)
    """First history message and the one behind the last."""
    envelopes: list[int] = field(default_factory=list)
    copies: set[int] = field(default_factory=set)
    """Envelopes that hold the same as another one."""
    pictures: int = -1
    context: int = -1
    context_claims: list[Claim] = field(default_factory=list)
    current: int = -1


def lay_out(messages: Sequence[KernelMessage], moment: CallMoment, attempt: int, index: SessionIndex) -> Layout:
    """The layout of a call's messages. ``attempt`` is the try of this step, from 0."""
    first = 1 if messages and messages[0].role == "system" else 0
    return _Reader(messages, first, moment, attempt, index).read()


class _Reader:
    """One reading of a message list."""

    def __init__(
        self, messages: Sequence[KernelMessage], first: int, moment: CallMoment, attempt: int, index: SessionIndex
    ) -> None:
        self._messages = messages
        self._texts = [message.content if isinstance(message.content, str) else None for message in messages]
        self._moment = moment
        self._attempt = attempt
        self._index = index
        self._turnline = Turnline(moment, index)
        self._statics = [static for static in index.statics.get(moment.plugin_id, ()) if static.message_role]
        players = index.player_rows.get(moment.turn_id, [])
        self._lines = {row.row.content: row for row in players if row.row.content.strip()}
        self._line_counts = Counter(row.row.content for row in players)
        self._wrote_nothing = bool(players) and not self._lines
        # What the call's own runtime told is its result, or a reply that was refused: no story before it.
        self._stories = {
            text: story
            for text, story in index.stories.get(moment.turn_id, {}).items()
            if story.has_twin or story.runtime != moment.runtime_id
        }
        self._waking = Waking(moment, index)
        self._layout = Layout(first, len(messages), len(messages))

    def read(self) -> Layout:
        layout = self._layout
        self._find_hint()
        layout.loop = self._loop_start()
        self._find_current()
        self._find_context()
        front_end = self._front_end()
        self._read_front(front_end)
        if layout.current >= 0:
            self._read_behind()
        self._doubt_copies()
        return layout

    def _doubt_copies(self) -> None:
        """What is sent once cannot stand in two messages: which of them is meant is a guess."""
        once = [
            (label.origin.rows if label.kind is Kind.STORY else label.key, number)
            for number, label in self._layout.labels.items()
            if label.kind in (Kind.LORE, Kind.EXTENSION, Kind.STORY) and label.grade is Grade.EXACT
        ]
        counts = Counter(key for key, _ in once)
        for key, number in once:
            if counts[key] > 1:
                self._layout.labels[number] = as_guess(self._layout.labels[number])
        held = [(number, summary_text(self._texts[number] or "")) for number in self._layout.envelopes]
        times = Counter(text for _, text in held)
        self._layout.copies.update(number for number, text in held if times[text] > 1)

    def _loop_start(self) -> int:
        """The first message that calls a tool or answers a call."""
        layout = self._layout
        for number, message in enumerate(self._messages[layout.first : layout.end], layout.first):
            if message.tool_calls or message.role == "tool":
                return number
        return layout.end

    def _find_hint(self) -> None:
        last = len(self._messages) - 1
        if last < self._layout.first or self._texts[last] in self._lines:
            return
        label = retry_hint(self._messages[last], self._attempt)
        if label is not None:
            self._layout.labels[last] = label
            self._layout.end = last

    # The current line.

    def _find_current(self) -> None:
        layout = self._layout
        equal = [
            number
            for number in range(layout.loop - 1, layout.first - 1, -1)
            if self._texts[number] in self._lines and self._messages[number].role == "user"
        ]
        if equal:
            newest = self._newest_history()
            likely = [number for number in equal if number > newest]
            if likely:
                self._take_line(likely)
                return
        number = self._placed_current()
        if equal and number < newest:
            self._take_line(equal, sure=False)
        elif number >= 0:
            layout.current = number
            layout.labels[number] = placed_label(self._wrote_nothing)

    def _take_line(self, numbers: list[int], sure: bool = True) -> None:
        """The most likely of some messages, newest first, that equal a row of this turn becomes the current line."""
        layout = self._layout
        scores = [self._stands_like_current(number) for number in numbers]
        best = max(scores)
        layout.current = numbers[scores.index(best)]
        text = self._texts[layout.current] or ""
        label = line_label(self._lines[text])
        if not sure or self._line_counts[text] > 1 or (len(numbers) > 1 and (not best or scores.count(best) > 1)):
            label = replace(label, grade=Grade.GUESS, notes=(LINE_TWICE,))
        layout.labels[layout.current] = label

    def _newest_history(self) -> int:
        """The last message that can only be a row of an older turn; -1 when there is none."""
        for number in range(self._layout.loop - 1, self._layout.first - 1, -1):
            text = self._texts[number]
            if text is None or text in self._lines or text in self._stories:
                continue
            if self._turnline.candidates(self._messages[number].role, text, filtered=True):
                return number
        return -1

    def _stands_like_current(self, number: int) -> int:
        """How much speaks for a message being the current line, when several have its text (the latest wins a tie)."""
        before, behind = number - 1, number + 1
        if before >= self._layout.first and is_pictures(self._messages[before]):
            before -= 1
        text = self._texts[before] if before >= self._layout.first else None
        score = 0
        if text and self._messages[before].role == "system" and _ANY_TAG.match(text):
            score += 2
        if behind < self._layout.loop and self._texts[behind] in self._stories:
            score += 1
        return score

    def _placed_current(self) -> int:
        """Where the current line must be when no row tells: before this turn's story, or behind the turn context."""
        layout = self._layout
        # The last one: an older reply may have the same words.
        for number in range(layout.loop - 1, layout.first - 1, -1):
            if self._messages[number].role == "assistant" and self._texts[number] in self._stories:
                return self._plain_user_before(number)
        for number in range(layout.loop - 2, layout.first - 1, -1):
            text = self._texts[number]
            if self._messages[number].role == "system" and text and _ANY_TAG.match(text):
                behind = number + 1
                if is_pictures(self._messages[behind]):
                    behind += 1
                if behind < layout.loop and self._is_plain_user(behind):
                    return behind
                return -1
        return -1

    def _plain_user_before(self, number: int) -> int:
        for before in range(number - 1, self._layout.first - 1, -1):
            if self._is_plain_user(before):
                return before
            if self._depth_label(before) is None:
                return -1
        return -1

    def _is_plain_user(self, number: int) -> bool:
        text = self._texts[number]
        return (
            self._messages[number].role == "user"
            and text is not None
            and not is_envelope(text)
            and self._static(number, ("pre-history", "post-history", "depth")) is None
        )

    # The turn context and the pictures before it.

    def _find_context(self) -> None:
        layout = self._layout
        if layout.current < 0:
            return
        before = layout.current - 1
        if before >= layout.first and is_pictures(self._messages[before]):
            layout.pictures = before
            before -= 1
        text = self._texts[before] if before >= layout.first else None
        if text is None or self._messages[before].role != "system" or self._depth_label(before) is not None:
            return
        claims = read_turn_context(text, self._moment, self._index, self._told())
        if claims is not None:
            layout.context = before
            layout.context_claims = claims

    def _told(self) -> frozenset[str]:
        """What runtimes say behind the current line, before the tool loop."""
        behind = range(self._layout.current + 1, self._layout.loop)
        return frozenset(self._texts[number] or "" for number in behind if self._messages[number].role == "assistant")

    def _front_end(self) -> int:
        layout = self._layout
        return next(
            (number for number in (layout.context, layout.pictures, layout.current) if number >= 0), layout.loop
        )

    # Before the turn context: marker, declared messages, summaries, history, what is inserted by depth.

    def _read_front(self, end: int) -> None:
        layout = self._layout
        start = layout.first
        while start < end and (static := self._static(start, ("pre-history",))) is not None:
            layout.labels[start] = static
            start += 1
        texts = [
            (number, message.role, text)
            for number, message, text in zip(
                range(start, end), self._messages[start:end], self._texts[start:end], strict=True
            )
            if text is not None
        ]
        # History stands behind all summaries: what is before one of them is none, whatever row it equals.
        summaries = [number for number, role, text in texts if role == "user" and self._is_stored_summary(text)]
        texts = [one for one in texts if one[0] > summaries[-1]] if summaries else texts
        matched = align(texts, self._turnline)
        for number, row in matched.items():
            layout.labels[number] = row_label(row, self._turnline)
        for number, doubt in doubtful(texts, matched, self._turnline).items():
            label = layout.labels[number]
            layout.labels[number] = label.doubted(doubt)
        if len(matched) < len(texts):
            near = near_rows(texts, matched, self._turnline)
            layout.labels.update((number, near_label(row)) for number, row in near.items())
            matched.update(near)
        if matched:
            layout.history = (min(matched), max(matched) + 1)
        for number in range(start, end):
            if number not in matched:
                self._read_unmatched(number, layout.history[0] if matched else end, matched.get(layout.history[0]))

    def _read_unmatched(self, number: int, history_start: int, matched_first: IndexedRow | None) -> None:
        layout = self._layout
        text = self._texts[number]
        if text is None:
            return
        message = self._messages[number]
        if message.role == "user" and is_envelope(text):
            if self._may_be_envelope(number, text, history_start):
                layout.envelopes.append(number)
            return
        label = self._depth_label(number)
        if label is None and number < history_start:
            label = self._static(number, ("pre-history",))
        if label is None and number == layout.first and message.role == "system":
            label = self._prune_marker(text, matched_first)
        if label is not None:
            layout.labels[number] = label

    def _is_stored_summary(self, text: str) -> bool:
        """True for an envelope around a stored summary that no row of the history equals."""
        return is_envelope(text) and text not in self._index.rows_by_text and holds_summary(text, self._index)

    def _may_be_envelope(self, number: int, text: str, history_start: int) -> bool:
        """Envelopes stand before all live history; without a known current line only a stored summary's text counts."""
        if number >= history_start:
            return False
        return self._layout.current >= 0 or holds_summary(text, self._index)

    def _prune_marker(self, text: str, oldest: IndexedRow | None) -> Label | None:
        """The marker, unless the text is no short line; a guess when the history behind begins where it can."""
        moment = self._moment
        short = len(text) <= _LONGEST_MARKER and "\n" not in text and "<" not in text
        if not short or not self._index.was_pruned(moment):
            return None
        if oldest is not None and begins_history(oldest, self._turnline):
            return replace(PRUNED, grade=Grade.GUESS, notes=(NOTHING_PRUNED,))
        return PRUNED

    def _depth_label(self, number: int) -> Label | None:
        """A lorebook entry or a declared segment that stands inside the conversation."""
        text = self._texts[number]
        if text is None:
            return None
        if self._messages[number].role == "system":
            label = depth_label(self._index.lore, text, self._moment.started_at, self._waking.could_wake)
            if label is not None:
                return label
        return self._static(number, ("depth",))

    def _static(self, number: int, positions: tuple[str, ...]) -> Label | None:
        for static in self._statics:
            if (
                static.position in positions
                and static.text == self._texts[number]
                and static.message_role == self._messages[number].role
            ):
                return static.label
        return None

    # Behind the current line: this turn's story and its cue, what is inserted by depth, declared messages.

    def _read_behind(self) -> None:
        layout = self._layout
        told = 0
        cues: list[int] = []
        known = layout.labels[layout.current].grade is Grade.EXACT
        for number in range(layout.current + 1, layout.loop):
            role, text = self._messages[number].role, self._texts[number]
            if text is None or number in layout.labels:
                continue
            label = self._depth_label(number) or self._static(number, ("post-history",))
            if label is None and role == "assistant":
                story = self._stories.get(text)
                if story is None:
                    break
                told += 1
                cues = []
                label = story_label(told, story)
                if not known and self._turnline.candidates(role, text, filtered=True):
                    label = replace(label, grade=Grade.GUESS, notes=(OLDER_STORY,))
            if label is not None:
                layout.labels[number] = label
            elif role == "user" and told:
                cues.append(number)
        if len(cues) == 1:
            sure = all(label.grade is Grade.EXACT for label in layout.labels.values() if label.kind is Kind.STORY)
            layout.labels[cues[0]] = CUE if sure else replace(CUE, grade=Grade.GUESS)
