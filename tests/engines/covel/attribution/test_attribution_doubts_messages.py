"""Messages that two sources could explain: history, stories, the tool loop and envelopes never claim one for sure."""

from typing import Any

import pytest
from known_pieces import (
    ENVELOPE,
    LATER,
    SUMMARY,
    Sent,
    attributed,
    exact_keys,
    told_story,
    usual,
    whole,
    wrong_claims,
)
from small_story import Story

from covel_inspector.domain import Grade, Kind, SegmentTree
from covel_inspector.engines.covel.attribution import CallMoment, attribute, index_session
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.rows import SummaryRow, ToolCallRow, TraceRow, TurnMessageRow, TurnResultRow


def looped(story: Story, sent: list[Sent], *loop: dict[str, Any], attempt: int = 0) -> SegmentTree:
    """The tree of a call whose tool loop is given as messages."""
    front = [{"role": one.role, "content": one.text} for one in sent]
    call = RecordedCall.model_validate({"messages": [*front, *loop]})
    moment = CallMoment("turn-4", story.runtime, story.runtime, story.now, attempt=attempt)
    return attribute(call, moment, index_session(story.evidence()))


def look(call: str, arguments: str = "{}") -> dict[str, Any]:
    return {"role": "assistant", "content": "", "toolCalls": [{"id": call, "name": "look", "arguments": arguments}]}


def answer(call: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "content": text, "toolCallId": call}


def said(tree: SegmentTree, text: str) -> list[tuple[Kind, Grade]]:
    """What is claimed of the leaves with this text, in order."""
    return [(leaf.kind, leaf.grade) for leaf in tree.leaves() if leaf.text == text]


NOTE = (Kind.LOOP_NOTE, Grade.STRUCTURAL)


def test_a_correction_with_the_words_of_a_later_line_is_not_surely_that_line() -> None:
    story = told_story()
    later = story.row("line-9", 9, "player", "user", "Go on.").model_copy(update={"created_at": LATER})
    story.extra_rows = (later,)
    result = TurnResultRow(id="r9", session_id="s", turn_id="turn-9", created_at="2026-01-01T09:30:00.000Z")
    story.changes = {**story.changes, "turn_results": (result,)}
    loop = (look("t1"), answer("t1", "{}"), {"role": "user", "content": "Go on."})

    assert said(looped(story, usual(story), *loop), "Go on.") == [(Kind.PLAYER_LINE, Grade.GUESS)]

    between = story.row("line-5", 5, "player", "user", "I stay.").model_copy(
        update={"created_at": "2026-01-01T05:00:00.000Z"}
    )
    story.extra_rows = (between, later)
    assert said(looped(story, usual(story), *loop), "Go on.") == [NOTE]


def test_the_current_line_said_again_in_the_loop_is_a_note() -> None:
    story = told_story()

    tree = looped(story, usual(story), look("t1"), answer("t1", "{}"), {"role": "user", "content": story.current})

    assert said(tree, story.current) == [(Kind.PLAYER_LINE, Grade.EXACT), NOTE]


def test_a_line_said_twice_in_the_loop_names_no_row() -> None:
    story = told_story()
    story.extra_rows = (story.row("shout", 4, "player", "user", "Wait!"),)
    shout = {"role": "user", "content": "Wait!"}

    once = looped(story, usual(story), look("t1"), answer("t1", "{}"), shout)
    twice = looped(story, usual(story), look("t1"), answer("t1", "{}"), shout, shout)

    assert said(once, "Wait!") == [(Kind.PLAYER_LINE, Grade.EXACT)]
    assert said(twice, "Wait!") == [NOTE, NOTE]


def test_a_refused_reply_of_the_runtime_itself_is_no_story_and_brings_no_cue() -> None:
    story = told_story()
    story.runtime = "codex"
    story.extra_rows = (story.row("own", 4, "runtime", "assistant", "I am done.", "codex"),)
    refused = whole("assistant", "I am done.", Kind.LOOP_NOTE), whole("user", "Call a tool.", Kind.LOOP_NOTE)

    tree = attributed(story, [*usual(story), *refused])

    assert {leaf.kind for leaf in tree.leaves()}.isdisjoint({Kind.STORY, Kind.CUE})


def test_a_story_of_another_runtime_that_two_tell_makes_its_cue_a_guess() -> None:
    story = told_story()
    story.runtime = "codex"
    story.extra_rows = tuple(story.row(name, 4, "runtime", "assistant", "Snow falls.", name) for name in ("a", "b"))
    told = whole("assistant", "Snow falls.", Kind.STORY), whole("user", "Call a tool.", Kind.CUE)

    tree = attributed(story, [*usual(story), *told])

    assert said(tree, "Snow falls.") == [(Kind.STORY, Grade.GUESS)]
    assert said(tree, "Call a tool.") == [(Kind.CUE, Grade.GUESS)]


def test_words_that_the_runtime_tells_later_are_no_story_of_this_turn() -> None:
    story = told_story()
    story.told = "Snow falls."

    tree = attributed(story, [*usual(story), whole("assistant", "Snow falls.", Kind.EXTENSION)])

    assert said(tree, "Snow falls.") == [(Kind.UNKNOWN, Grade.UNKNOWN)]


def history(tree: SegmentTree) -> dict[str, Grade]:
    """Keys and grades of the history messages, in order."""
    return {leaf.key: leaf.grade for leaf in tree.leaves() if leaf.kind is Kind.HISTORY}


def test_a_message_torn_from_the_rows_beside_it_may_be_another_text() -> None:
    story = told_story()
    sent = usual(story)

    first = attributed(story, [sent[0], whole("user", "I knock.", Kind.EXTENSION), *sent[5:]])
    between = attributed(story, [*sent[:2], whole("user", "I wait.", Kind.EXTENSION), *sent[5:]])
    pair = attributed(story, [*sent[:3], *sent[5:]])
    edited = attributed(story, [*sent[:3], whole("user", "I did something else.", Kind.HISTORY), *sent[4:]])

    assert history(first) == {
        "history:line-1": Grade.GUESS,
        "history:line-3": Grade.EXACT,
        "history:reply-3": Grade.EXACT,
    }
    assert history(between)["history:line-2"] is Grade.GUESS
    assert list(history(pair).values()) == [Grade.GUESS, Grade.GUESS, Grade.EXACT, Grade.EXACT]
    assert set(history(edited).values()) == {Grade.EXACT}


def test_of_two_equal_rows_side_by_side_neither_is_surely_meant() -> None:
    story = told_story()
    row = story.row("line-2", 2, "player", "user", "I wait.")
    story.extra_rows = (row.model_copy(update={"id": "line-2b", "order": 1}),)

    grades = history(attributed(story, usual(story)))

    assert grades["history:line-2b"] is Grade.GUESS
    assert [key for key, grade in grades.items() if grade is Grade.GUESS] == ["history:line-2b"]
    assert wrong_claims(attributed(story, usual(story)), usual(story)) == []


def stored_call(name: str, minute: int, given: object, output: object) -> ToolCallRow:
    return ToolCallRow(
        id=name,
        session_id="s",
        turn_id="turn-4",
        tool_name="look",
        plugin_id="narrator",
        runtime_id="narrator",
        input=given,
        output=output,
        created_at=f"2026-01-01T03:{minute}:00.000Z",
    )


def tool_claims(tree: SegmentTree) -> list[tuple[Grade, tuple[str, ...]]]:
    kinds = (Kind.TOOL_CALL, Kind.TOOL_RESULT)
    return [(leaf.grade, leaf.origin.rows) for leaf in tree.leaves() if leaf.kind in kinds]


def test_the_answer_tells_a_call_from_an_equal_one_of_an_earlier_attempt() -> None:
    story = told_story()
    rows = (stored_call("first", 51, {"at": 1}, {"ok": 1}), stored_call("second", 52, {"at": 1}, {"ok": 2}))
    story.changes = {**story.changes, "tool_calls": rows}

    told = looped(story, usual(story), look("t1", '{"at":1}'), answer("t1", '{"ok":2}'), attempt=1)
    silent = looped(story, usual(story), look("t1", '{"at":1}'), answer("t1", "left out"), attempt=1)

    assert tool_claims(told) == [(Grade.EXACT, ("second",))] * 2
    assert tool_claims(silent) == [(Grade.GUESS, ("first",))] * 2


def test_equal_calls_with_equal_answers_are_told_apart_only_when_all_are_there() -> None:
    story = told_story()
    rows = (stored_call("first", 51, {}, "ok"), stored_call("second", 52, {}, "ok"))
    story.changes = {**story.changes, "tool_calls": rows}

    one = looped(story, usual(story), look("t1"), answer("t1", "ok"))
    both = looped(story, usual(story), look("t1"), answer("t1", "ok"), look("t2"), answer("t2", "ok"))

    assert {grade for grade, _ in tool_claims(one)} == {Grade.GUESS}
    assert [rows for _, rows in tool_claims(both)] == [("first",), ("first",), ("second",), ("second",)]
    assert {grade for grade, _ in tool_claims(both)} == {Grade.EXACT}


def test_true_is_not_one_in_the_arguments_of_a_call() -> None:
    story = told_story()
    rows = (stored_call("first", 51, {"at": True}, "a"), stored_call("second", 52, {"at": 1}, "b"))
    story.changes = {**story.changes, "tool_calls": rows}

    tree = looped(story, usual(story), look("t1", '{"at":1}'), answer("t1", "left out"))

    assert tool_claims(tree)[0] == (Grade.EXACT, ("second",))


def test_a_call_stored_after_the_request_is_not_in_it() -> None:
    story = told_story()
    late = stored_call("late", 52, {}, "ok").model_copy(update={"created_at": LATER})
    story.changes = {**story.changes, "tool_calls": (late,)}

    assert tool_claims(looped(story, usual(story), look("t1"), answer("t1", "ok"))) == [(Grade.STRUCTURAL, ())] * 2


def test_a_row_written_after_the_call_is_not_sent_even_when_its_execution_is_gone() -> None:
    story = told_story()
    story.changes = {**story.changes, "turn_results": ()}
    late = story.row("reply-5", 5, "runtime", "assistant", "It is warm inside.")
    story.extra_rows = (late.model_copy(update={"created_at": LATER}),)

    assert history(attributed(story, usual(story)))["history:reply-3"] is Grade.EXACT


def test_a_line_edited_to_the_words_of_an_older_one_is_not_found_in_the_history() -> None:
    story = told_story()
    rows = [row if row.id != "line-4" else row.model_copy(update={"content": "I knock."}) for row in story.rows()]
    story.changes = {**story.changes, "rows": tuple(rows)}
    sent = usual(story)

    placed = attributed(story, sent)
    bare = attributed(story, [*sent[:-2], sent[-1]])

    assert said(placed, "I knock.") == [(Kind.HISTORY, Grade.EXACT)]
    assert said(placed, "I sit down.") == [(Kind.PLAYER_LINE, Grade.STRUCTURAL)]
    assert said(bare, "I knock.") == [(Kind.PLAYER_LINE, Grade.GUESS)]


def test_two_equal_lines_of_one_turn_leave_the_row_open() -> None:
    story = told_story()
    row = story.row("x", 4, "player", "user", story.current)
    story.extra_rows = (row.model_copy(update={"id": "line-4b", "order": 1}),)

    assert said(attributed(story, usual(story)), story.current) == [(Kind.PLAYER_LINE, Grade.GUESS)]


def test_the_line_said_again_by_code_is_told_apart_by_the_turn_context_only() -> None:
    story = told_story()
    again = whole("user", story.current, Kind.EXTENSION)
    sent = [*usual(story), again]

    with_context = attributed(story, sent)
    without = attributed(story, [*sent[:-3], *sent[-2:]])

    assert said(with_context, story.current)[0] == (Kind.PLAYER_LINE, Grade.EXACT)
    assert said(without, story.current)[-1] == (Kind.PLAYER_LINE, Grade.GUESS)


def test_behind_a_line_that_no_row_tells_an_older_reply_is_not_surely_a_story() -> None:
    story = told_story()
    story.runtime = "codex"
    story.extra_rows = (story.row("told", 4, "runtime", "assistant", story.replies[2]),)
    sent = [*usual(story)[:-1], whole("user", "Gone.", Kind.PLAYER_LINE)]

    tree = attributed(story, [*sent, whole("assistant", story.replies[2], Kind.STORY)])

    assert said(tree, story.replies[2])[-1] == (Kind.STORY, Grade.GUESS)


def summarised(content: str) -> Story:
    story = told_story()
    story.summaries = (SummaryRow(id="p", session_id="s", content=content, created_at="2026-01-01T03:00:00.000Z"),)
    return story


def test_an_envelope_that_the_engine_would_have_escaped_is_not_the_stored_summary() -> None:
    story = summarised("a < b")
    sent = usual(story)

    for content, grade in (("a < b", Grade.STRUCTURAL), ("a &lt; b", Grade.EXACT)):
        envelope = f"<compacted_history>\n# sections: \n{content}\n</compacted_history>"
        tree = attributed(story, [sent[0], whole("user", envelope, Kind.SUMMARY, "p"), *sent[1:]])
        assert said(tree, content) == [(Kind.SUMMARY, grade)]


def test_of_two_envelopes_that_hold_the_same_neither_is_surely_the_summary() -> None:
    story = summarised(SUMMARY)
    sent = usual(story)
    envelope = whole("user", ENVELOPE, Kind.SUMMARY, "p")

    once = attributed(story, [sent[0], envelope, *sent[1:]])
    twice = attributed(story, [sent[0], envelope, envelope, *sent[1:]])

    assert said(once, SUMMARY) == [(Kind.SUMMARY, Grade.EXACT)]
    assert said(twice, SUMMARY) == [(Kind.SUMMARY, Grade.GUESS)] * 2


def test_a_story_that_two_runtimes_gave_out_names_neither_for_sure() -> None:
    story = told_story()
    story.runtime = "codex"
    runs = tuple(
        {"pluginId": name, "runtimeId": name, "status": "success", "output": {"text": "Snow falls."}}
        for name in ("guide", "narrator")
    )
    result = TurnResultRow(id="r4", session_id="s", turn_id="turn-4", created_at=LATER, runtime_results=runs)
    story.changes = {"turn_results": (result,)}

    tree = attributed(story, [*usual(story), whole("assistant", "Snow falls.", Kind.STORY)])

    assert said(tree, "Snow falls.") == [(Kind.STORY, Grade.GUESS)]


def picture(story: Story, name: str, caption: str) -> TurnMessageRow:
    ui = [{"type": "asset.generate", "data": {"modality": "image", "meta": {"caption": caption}}}]
    return story.row(name, 3, "system", "user", f"({name})").model_copy(update={"ui": ui, "order": 99})


@pytest.mark.parametrize(("captions", "row"), [(("a red door", "door"), ("p0",)), (("a red door", "a red door"), ())])
def test_the_longest_caption_tells_the_picture_and_equal_ones_tell_none(
    captions: tuple[str, ...], row: tuple[str, ...]
) -> None:
    story = told_story()
    story.extra_rows = tuple(picture(story, f"p{number}", caption) for number, caption in enumerate(captions))
    media = {"type": "image", "image": "[image data omitted]"}
    parts = [{"type": "text", "text": "Seen:"}, {"type": "text", "text": "1: a red door"}, media]
    front = [{"role": one.role, "content": one.text} for one in usual(story)]
    call = RecordedCall.model_validate({"messages": [*front[:-1], {"role": "user", "content": parts}, front[-1]]})

    tree = attribute(call, CallMoment("turn-4", "narrator", "narrator", story.now), index_session(story.evidence()))

    assert next(segment for segment in tree.walk() if segment.key == "pictures").origin.rows == row


def test_a_short_system_message_before_a_whole_history_is_not_surely_a_prune_marker() -> None:
    story = told_story()
    pruned = TraceRow(
        id="t",
        session_id="s",
        type="context.pruned",
        turn_id="turn-4",
        payload={"runtimeId": "narrator", "prunedMessageCount": 2},
        created_at=story.now,
    )
    story.changes = {**story.changes, "traces": (pruned,)}
    sent = usual(story)
    short = whole("system", "A hook says no.", Kind.EXTENSION)

    assert said(attributed(story, [sent[0], short, *sent[1:]]), short.text) == [(Kind.PRUNE_MARKER, Grade.GUESS)]
    assert said(attributed(story, [sent[0], short, *sent[3:]]), short.text) == [(Kind.PRUNE_MARKER, Grade.STRUCTURAL)]


def test_a_message_before_a_summary_is_no_history_whatever_row_it_equals() -> None:
    story = told_story()
    story.summaries = (SummaryRow(id="sum", session_id="s", content=SUMMARY),)
    sent = usual(story)
    sent[1:1] = [whole("assistant", story.replies[1], Kind.UNKNOWN), whole("user", ENVELOPE, Kind.SUMMARY)]
    tree = attributed(story, sent)
    assert wrong_claims(tree, sent) == []
    assert {"history:line-1", "history:reply-2"} <= exact_keys(tree)
    assert any(leaf.kind is Kind.SUMMARY for leaf in tree.leaves())
