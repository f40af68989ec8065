"""Equal texts in two sources, edited rows, newer files, odd values: no claim that says *exact* is wrong."""

from collections.abc import Callable

import pytest
from known_pieces import (
    CUE,
    ENVELOPE,
    HOUSE,
    LATER,
    RULE,
    RULE_ENTRY,
    SUMMARY,
    Piece,
    Sent,
    attributed,
    files,
    head,
    lore,
    lore_row,
    now,
    past,
    told_story,
    usual,
    whole,
    wrong_claims,
)
from small_story import BODY, CONTEXT, Story

from covel_inspector.domain import Kind
from covel_inspector.engines.covel.records.manifests import Localized, StaticSegment
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.records.rows import SummaryRow

CASES: dict[str, Callable[[], tuple[Story, list[Sent]]]] = {}


def case(make: Callable[[], tuple[Story, list[Sent]]]) -> Callable[[], tuple[Story, list[Sent]]]:
    CASES[make.__name__] = make
    return make


def with_head(story: Story, *pieces: Piece, body: tuple[Piece, ...] = (Piece(BODY, Kind.BODY),)) -> list[Sent]:
    return [head(*pieces, body=body), *past(story), *now(story)]


def with_body(template: str, *sent: Piece) -> tuple[Story, list[Sent]]:
    """A story whose file holds a template, and a request with the body's true pieces."""
    story = told_story()
    story.checkout = files(body=template)
    return story, with_head(story, RULE_ENTRY, body=sent)


def literal(text: str) -> Piece:
    return Piece(text, Kind.BODY)


def value(path: str, text: str) -> Piece:
    return Piece(text, Kind.BODY, variable=path)


@case
def two_equal_entries_of_which_one_was_sent() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lore = tuple(lore_row(entry, RULE, keys=["k"]) for entry in ("a", "b"))
    return story, with_head(story, lore("b", RULE, "k"))


@case
def two_equal_entries_that_were_both_sent() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lore = tuple(lore_row(entry, RULE, keys=["k"], insertion_order=n) for n, entry in enumerate("ba"))
    both = Sent("", (lore("b", RULE, "k"), Piece("\n\n", Kind.SEPARATOR), lore("a", RULE, "k")))
    sent = with_head(story)
    system = head(Piece("", Kind.LORE))
    return story, [Sent("system", (*system.pieces[:-1], *both.pieces)), *sent[1:]]


@case
def three_equal_entries_of_which_two_were_sent() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lore = tuple(lore_row(entry, RULE, keys=["k"]) for entry in ("a", "b", "c"))
    system = head(lore("b", RULE, "k"))
    pieces = (*system.pieces, Piece("\n\n", Kind.SEPARATOR), lore("c", RULE, "k"))
    return story, [Sent("system", pieces), *past(story), *now(story)]


@case
def an_entry_made_after_the_call() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lore = (lore_row("rule", RULE, created_at=LATER, updated_at=LATER),)
    return story, with_head(story, Piece(RULE_ENTRY.text, Kind.EXTENSION))


@case
def a_disabled_entry_equal_to_an_enabled_one() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lore = (lore_row("a", RULE, keys=["k"], enabled=False), lore_row("b", RULE, keys=["k"]))
    return story, with_head(story, lore("b", RULE, "k"))


@case
def an_entry_edited_to_the_words_of_another_text() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lore = (lore_row("rule", "It was dark.\n\nVery.", updated_at=LATER),)
    return story, with_head(story, Piece("[Lore: rule]\nIt was dark.", Kind.LORE, "rule"))


@case
def an_entry_that_begins_like_a_longer_one() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lore = (lore_row("a", RULE, keys=["k"]), lore_row("b", f"{RULE}\n\nAlways.", keys=["k"]))
    return story, with_head(story, lore("b", f"{RULE}\n\nAlways.", "k"))


@case
def an_entry_that_quotes_another_one() -> tuple[Story, list[Sent]]:
    story = told_story()
    quoting = f"It says:\n\n{RULE_ENTRY.text}"
    story.lore = (*story.lore, lore_row("door", quoting))
    return story, with_head(story, lore("door", quoting))


@case
def an_entry_at_depth_that_stands_twice() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lore = (lore_row("mood", "Quiet.", "at_depth", extra={"coordinate": {"depth": 2}}),)
    sent = usual_without_rule(story)
    sent.insert(3, whole("system", "[Lore: mood]\nQuiet.", Kind.UNKNOWN))
    sent.insert(6, whole("system", "[Lore: mood]\nQuiet.", Kind.LORE, "mood"))
    return story, sent


def usual_without_rule(story: Story) -> list[Sent]:
    return with_head(story, Piece(HOUSE, Kind.EXTENSION, segment="house"))


@case
def a_declared_segment_quoted_in_the_body() -> tuple[Story, list[Sent]]:
    story, _ = with_body(f"{BODY}\n\n{HOUSE}")
    house = StaticSegment("house", Localized({"": HOUSE}), "system")
    story.checkout = files(house, body=f"{BODY}\n\n{HOUSE}")
    own = Piece(HOUSE, Kind.EXTENSION, segment="house")
    return story, with_head(story, own, RULE_ENTRY, body=(literal(f"{BODY}\n\n{HOUSE}"),))


@case
def two_equal_declared_segments() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.checkout = files(
        *(StaticSegment(name, Localized({"": HOUSE}), "system", order=n) for n, name in enumerate("ab"))
    )
    system = head(Piece(HOUSE, Kind.EXTENSION, segment="a"))
    pieces = (*system.pieces, Piece("\n\n", Kind.SEPARATOR), Piece(HOUSE, Kind.EXTENSION, segment="b"))
    return story, [Sent("system", pieces), *past(story), *now(story)]


@case
def a_declared_segment_in_an_entry() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lore = (*story.lore, lore_row("door", f"It says:\n\n{HOUSE}"))
    return story, with_head(story, lore("door", f"It says:\n\n{HOUSE}"))


@case
def a_player_who_repeats_the_same_line() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lines = ("Go on.", "Go on.", "Go on.")
    return story, usual(story)


@case
def a_repeated_line_with_the_oldest_turn_cut() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lines, story.replies = ("Go on.", "Go on.", "Go on."), ("One.", "One.", "One.")
    sent = usual(story)
    return story, [sent[0], *sent[3:]]


@case
def a_hooks_message_equal_to_the_line_beside_it() -> tuple[Story, list[Sent]]:
    story = told_story()
    sent = usual(story)
    sent.insert(2, whole("user", story.lines[0], Kind.UNKNOWN))
    return story, sent


@case
def a_line_equal_to_the_reply_before_it() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lines = ("I knock.", "Nobody answers.", "I go in.")
    return story, usual(story)


@case
def a_row_edited_after_the_call() -> tuple[Story, list[Sent]]:
    story = told_story()
    sent = usual(story)
    sent[3] = whole("user", "I waited, but it was changed.", Kind.HISTORY, "line-2")
    return story, sent


@case
def two_rows_whose_texts_were_exchanged_later() -> tuple[Story, list[Sent]]:
    story = told_story()
    sent = usual(story)
    # Sent in this order, but the rows now hold each other's text: nothing tells the exchange, so no row is borne out.
    sent[1] = whole("user", "I go in, and out.", Kind.HISTORY, "line-1")
    sent[5] = whole("user", "I never knock.", Kind.HISTORY, "line-3")
    return story, sent


@case
def a_message_equal_to_a_row_of_a_later_turn() -> tuple[Story, list[Sent]]:
    story = told_story()
    later = story.row("line-5", 5, "player", "user", "I leave.")
    story.extra_rows = (later.model_copy(update={"created_at": LATER}),)
    sent = usual(story)
    sent.insert(1, whole("user", "I leave.", Kind.UNKNOWN))
    return story, sent


@case
def a_current_line_equal_to_all_older_ones() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.lines, story.current = ("Go on.", "Go on.", "Go on."), "Go on."
    return story, usual(story)


@case
def a_file_newer_than_the_call() -> tuple[Story, list[Sent]]:
    return with_body(f"{BODY}\n\nAnd be brief, as was decided later.", literal(BODY))


@case
def a_file_with_another_body() -> tuple[Story, list[Sent]]:
    return with_body("Something else entirely, with many words.", literal(BODY))


@case
def a_value_equal_to_the_literal_behind_it() -> tuple[Story, list[Sent]]:
    return with_body(
        "Your world is called {{ world.name }} and nothing else.",
        literal("Your world is called "),
        value("world.name", " and nothing else."),
        literal(" and nothing else."),
    )


@case
def a_value_that_holds_the_literal_behind_it() -> tuple[Story, list[Sent]]:
    return with_body(
        "Name of the player: {{ player.name }}\nName of the world: {{ world.name }}\nThat is all there is.",
        literal("Name of the player: "),
        value("player.name", "x\nName of the world: y"),
        literal("\nName of the world: "),
        value("world.name", "z"),
        literal("\nThat is all there is."),
    )


@case
def an_empty_value() -> tuple[Story, list[Sent]]:
    return with_body(
        "Name of the player: {{ player.name }}\nThat is all there is.",
        literal("Name of the player: "),
        literal("\nThat is all there is."),
    )


@case
def two_values_side_by_side() -> tuple[Story, list[Sent]]:
    return with_body(
        "Both names together: {{ player.name }}{{ world.name }}\nThat is all there is.",
        literal("Both names together: "),
        value("player.name", "In"),
        value("world.name", "es"),
        literal("\nThat is all there is."),
    )


@case
def a_value_at_the_end_that_holds_a_mark() -> tuple[Story, list[Sent]]:
    return with_body(
        "Your world is described here: {{ world.description }}",
        literal("Your world is described here: "),
        value("world.description", f"A sea.{SENTINEL}\n\n{RULE_ENTRY.text}"),
    )


@case
def a_value_with_private_use_characters() -> tuple[Story, list[Sent]]:
    return with_body(
        "Your world is described here: {{ world.description }}\nThat is all there is.",
        literal("Your world is described here: "),
        value("world.description", "\ue000 \ue000COVEL_CACHE_BREAK"),
        literal("\nThat is all there is."),
    )


@case
def a_value_that_is_the_whole_template() -> tuple[Story, list[Sent]]:
    template = "Your world is called {{ world.name }} and nothing else."
    return with_body(
        template,
        literal("Your world is called "),
        value("world.name", template),
        literal(" and nothing else."),
    )


@case
def a_body_of_two_letters() -> tuple[Story, list[Sent]]:
    story, sent = with_body("hi", literal("hi"))
    story.current = "hi"
    return story, [sent[0], *past(story), *now(story)]


@case
def a_body_that_is_a_word_of_a_heading() -> tuple[Story, list[Sent]]:
    return with_body("Lore", literal("Lore"))


@case
def a_short_body_in_a_file_that_was_not_sent() -> tuple[Story, list[Sent]]:
    return with_body("hi", literal("She said hi to everybody."))


@case
def a_body_that_is_only_a_value() -> tuple[Story, list[Sent]]:
    return with_body("{{ world.lore }}", value("world.lore", RULE_ENTRY.text))


@case
def a_summary_that_two_rows_hold() -> tuple[Story, list[Sent]]:
    story = told_story()
    made = "2026-01-01T03:50:00.000Z"
    story.summaries = tuple(SummaryRow(id=n, session_id="s", content=SUMMARY, created_at=made) for n in ("p", "q"))
    sent = usual(story)
    return story, [sent[0], whole("user", ENVELOPE, Kind.SUMMARY, "q"), *sent[1:]]


@case
def a_summary_made_after_the_call() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.summaries = (SummaryRow(id="p", session_id="s", content=SUMMARY, created_at=LATER),)
    sent = usual(story)
    return story, [sent[0], whole("user", ENVELOPE, Kind.UNKNOWN), *sent[1:]]


@case
def own_data_cut_short() -> tuple[Story, list[Sent]]:
    story = told_story()
    block = '<notes>\n- lamp | {"text":"re…\n</notes>'
    sent = usual(story)
    context = Sent("system", (Piece(block, Kind.OWN_DATA), Piece("\n", Kind.SEPARATOR), Piece(CONTEXT, Kind.INPUTS)))
    return story, [context if one.text == CONTEXT else one for one in sent]


@case
def own_data_of_a_row_made_after_the_call() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.checkout = files()
    rows = [row.model_copy(update={"created_at": LATER, "updated_at": LATER}) for row in story.changes["plugin_data"]]
    story.changes = {"plugin_data": tuple(rows)}
    block = Piece('<notes>\n- lamp | {"text":"red"}\n</notes>', Kind.EXTENSION)
    context = Sent("system", (block, Piece("\n", Kind.SEPARATOR), Piece(CONTEXT, Kind.INPUTS)))
    return story, [context if one.text == CONTEXT else one for one in usual(story)]


@case
def a_story_of_this_turn_that_two_runtimes_told() -> tuple[Story, list[Sent]]:
    story = told_story()
    story.told, story.runtime = "Snow falls.", "codex"
    row = story.row("reply-4b", 4, "runtime", "assistant", "Snow falls.", "guide")
    story.extra_rows = (row,)
    sent = [head(RULE_ENTRY, body=(Piece("Another body.", Kind.BODY),)), *past(story), *now(story)]
    return story, [*sent, whole("assistant", "Snow falls.", Kind.STORY, "reply-4b"), whole("user", CUE, Kind.CUE)]


@pytest.mark.parametrize("make", CASES.values(), ids=CASES.keys())
def test_a_special_case_gives_no_wrong_exact_claim(make: Callable[[], tuple[Story, list[Sent]]]) -> None:
    story, sent = make()

    assert wrong_claims(attributed(story, sent), sent) == []
