"""History messages find their rows: position between equal texts, what was committed, what a filter drops."""

from dataclasses import replace

from small_story import CONTEXT, CONTEXT_KEYS, Story, assistant, keys, message_leaves, system, user

from covel_inspector.domain import Grade, Kind
from covel_inspector.engines.covel.records.rows import SummaryRow, TraceRow


def test_rows_are_found_in_order_and_the_current_line_is_not_history(story: Story) -> None:
    tree = story.tree(*story.history(), system(CONTEXT), user(story.current))

    assert keys(tree) == [
        "history:line-1",
        "history:reply-1",
        "history:line-2",
        "history:reply-2",
        "history:line-3",
        "history:reply-3",
        *CONTEXT_KEYS,
        "player-line",
    ]
    assert tree.groups[-1].children[0].key == "history"


def test_of_equal_lines_the_newest_ones_are_meant(story: Story) -> None:
    story.lines = ("continue", "continue", "continue")
    story.replies = ("a", "b", "c")
    story.current = "continue"

    tree = story.tree(*story.history()[2:], user("continue"))

    assert keys(tree) == ["history:line-2", "history:reply-2", "history:line-3", "history:reply-3", "player-line"]


def test_when_the_newest_reply_was_changed_its_neighbours_still_match(story: Story) -> None:
    story.lines = ("continue", "continue", "continue")
    messages = story.history()
    messages[-1]["content"] = "A reply that a branch replaced."

    tree = story.tree(*messages, user(story.current))

    assert keys(tree)[:4] == ["history:line-1", "history:reply-1", "history:line-2", "history:reply-2"]
    assert keys(tree)[4] == "history:line-3"
    assert message_leaves(tree, 6)[0].kind is Kind.UNKNOWN


def test_a_message_much_like_the_row_at_its_place_is_a_guess(story: Story) -> None:
    story.replies = ("Nobody answers.", "A light moves behind the window, then stops and waits for you.", "It is warm.")
    messages = story.history()
    messages[3]["content"] = "A light moves behind the window, then stops and waits for us."

    leaf = message_leaves(story.tree(*messages, user(story.current)), 4)[0]

    assert (leaf.key, leaf.grade) == ("history:reply-2", Grade.GUESS)
    assert leaf.notes


def test_a_stray_equal_text_does_not_pull_its_neighbours_away(story: Story) -> None:
    messages = story.history()
    messages.insert(6, user(story.lines[0]))

    tree = story.tree(*messages, user(story.current))

    assert keys(tree)[:6] == [f"history:{name}-{turn}" for turn in (1, 2, 3) for name in ("line", "reply")]
    assert message_leaves(tree, 7)[0].kind is Kind.UNKNOWN


def test_a_row_committed_after_the_call_is_never_its_history(story: Story) -> None:
    story.now = "2026-01-01T03:10:00.000Z"

    tree = story.tree(*story.history(), user("Something else."))

    assert message_leaves(tree, 4)[0].key == "history:reply-2"
    assert message_leaves(tree, 5)[0].kind is Kind.UNKNOWN
    assert message_leaves(tree, 6)[0].kind is Kind.UNKNOWN


def test_roles_must_agree(story: Story) -> None:
    tree = story.tree(assistant(story.lines[2]), user(story.current))

    assert message_leaves(tree, 1)[0].kind is Kind.UNKNOWN


def test_structured_output_of_another_runtime_is_flagged_when_it_appears(story: Story) -> None:
    own = story.row("guide-3", 3, "runtime", "assistant", '{"next":["go"]}', runtime="guide")
    story.extra_rows = (own,)
    messages = [*story.history(), assistant(own.content)]

    for_narrator = message_leaves(story.tree(*messages, user(story.current)), 7)[0]
    story.runtime = "guide"
    for_guide = message_leaves(story.tree(*messages, user(story.current)), 7)[0]

    assert (for_narrator.key, for_guide.key) == ("history:guide-3", "history:guide-3")
    assert for_narrator.notes
    assert not for_guide.notes


def test_a_picture_note_is_a_note(story: Story) -> None:
    note = story.row("picture", 3, "system", "user", "(A picture.)").model_copy(
        update={"ui": [{"type": "asset.generate"}], "order": 99}
    )
    story.extra_rows = (note,)

    leaf = message_leaves(story.tree(*story.history(), user("(A picture.)"), user(story.current)), 7)[0]

    assert (leaf.key, leaf.kind, leaf.grade) == ("note:picture", Kind.NOTE, Grade.EXACT)


def test_an_empty_row_keeps_its_place(story: Story) -> None:
    story.lines = ("I knock.", "", "I go in.")

    tree = story.tree(*story.history(), user(story.current))

    assert keys(tree)[2] == "history:line-2"
    assert message_leaves(tree, 3)[0].text == ""


def test_a_summary_is_recognised_by_its_unescaped_content(story: Story) -> None:
    story.summaries = (SummaryRow(id="sum", session_id="s", content="She said <no> & left."),)
    envelope = "<compacted_history>\n# sections: \nShe said &lt;no&gt; &amp; left.\n</compacted_history>\nOlder turns."

    tree = story.tree(user(envelope), *story.history()[4:], user(story.current))

    assert tree.groups[-1].children[0].key == "summary:sum"
    assert [leaf.key for leaf in message_leaves(tree, 1)] == [
        "summary-open",
        "summary-content",
        "summary-close",
        "summary-note",
    ]
    assert message_leaves(tree, 1)[1].origin.rows == ("sum",)


def test_a_merged_summary_stays_an_envelope_without_a_row(story: Story) -> None:
    envelope = "<compacted_history>\n# sections: \nGone.\n</compacted_history>\nOlder turns."

    tree = story.tree(user(envelope), *story.history()[4:], user(story.current))

    summary = tree.groups[-1].children[0]
    assert (summary.key, summary.kind, summary.grade) == ("summary:1", Kind.SUMMARY, Grade.GUESS)
    assert summary.origin.rows == ()


def test_rows_that_a_later_summary_stands_for_were_live_before(story: Story) -> None:
    story.summaries = (SummaryRow(id="sum", session_id="s", content="x", created_at="2026-01-01T05:00:00.000Z"),)
    rows = [row.model_copy(update={"summary_id": "sum"}) if row.turn_id == "turn-1" else row for row in story.rows()]
    story.changes = {"rows": tuple(rows)}

    leaf = message_leaves(story.tree(*story.history(), user(story.current)), 1)[0]

    assert leaf.key == "history:line-1"
    assert not leaf.notes


def pruned_at(moment: str) -> TraceRow:
    payload = {"runtimeId": "narrator", "prunedMessageCount": 2}
    return TraceRow(id="p", session_id="s", type="context.pruned", turn_id="turn-4", payload=payload, created_at=moment)


def test_the_marker_of_pruned_history_needs_the_trace(story: Story) -> None:
    messages = (system("[older messages are left out]"), *story.history()[2:], user(story.current))
    alone = message_leaves(story.tree(*messages), 1)[0]
    story.changes = {"traces": (pruned_at("2026-01-01T04:00:00.000Z"),)}
    traced = message_leaves(story.tree(*messages), 1)[0]
    story.changes = {"traces": (pruned_at("2026-01-01T04:45:00.000Z"),)}
    other_run = message_leaves(story.tree(*messages), 1)[0]

    assert [alone.kind, traced.kind, other_run.kind] == [Kind.UNKNOWN, Kind.PRUNE_MARKER, Kind.UNKNOWN]


def test_an_unknown_start_of_the_call_still_aligns(story: Story) -> None:
    story.now = ""

    assert keys(story.tree(*story.history(), user(story.current)))[0] == "history:line-1"


def test_copies_of_a_fork_are_history_from_the_start(story: Story) -> None:
    evidence = story.evidence()
    story.changes = {"turn_results": (), "rows": evidence.rows[:-1]}

    assert keys(story.tree(*story.history(), user("What now?")))[:6] == [
        f"history:{name}-{turn}" for turn in (1, 2, 3) for name in ("line", "reply")
    ]
    assert replace(evidence, turn_results=()).turn_results == ()
