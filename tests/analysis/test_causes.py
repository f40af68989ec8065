"""Causes of made-up changes: one thing is changed in a request, and the cause has to name it."""

from dataclasses import replace

from story_changes import BEFORE, GROWN, NEXT, between
from story_requests import HISTORY, call, turn_with

from covel_inspector.analysis.causes import CauseKind, Measured, ProviderFacts, Side, find_cause
from covel_inspector.domain import Event, Grade, Kind, Volatility


def test_sketches_keep_the_invariant() -> None:
    for narrator in (BEFORE, NEXT, replace(NEXT, depth_lore="x", late="y", pictures="z", summary="s", marker="m")):
        assert narrator.tree().gaps() == []


# No break.


def test_the_first_request() -> None:
    cause = find_cause(None, Side(call(1), BEFORE.tree()), Measured(100, 0))
    assert (cause.kind, cause.is_break, cause.tokens_uncached) == (CauseKind.FIRST_CALL, False, 100)


def test_a_turn_that_only_goes_on() -> None:
    cause = between(BEFORE, NEXT)
    assert (cause.kind, cause.key, cause.is_break, cause.remedy) == (CauseKind.HELD, "history:h3", False, None)


def test_a_history_that_begins() -> None:
    assert between(replace(BEFORE, history=()), BEFORE).kind is CauseKind.HELD


def test_the_same_request_again() -> None:
    assert between(BEFORE, BEFORE).kind is CauseKind.HELD


def test_a_tool_loop_that_goes_on() -> None:
    step = replace(BEFORE, loop=((Kind.TOOL_CALL, '{"name":"get"}'), (Kind.TOOL_RESULT, '{"ok":true}')))
    cause = between(BEFORE, step)
    assert (cause.kind, cause.key) == (CauseKind.HELD, "loop:0")


def test_a_runtime_without_history() -> None:
    without = replace(BEFORE, history=())
    cause = between(without, replace(NEXT, history=()))
    assert (cause.kind, cause.key, cause.is_break) == (CauseKind.TURN_CONTEXT, "segment:clock", False)


def test_a_turn_that_is_tried_again_with_another_line() -> None:
    cause = between(BEFORE, replace(BEFORE, line="I sit down."))
    assert (cause.kind, cause.key) == (CauseKind.TURN_CONTEXT, "player-line")


def test_a_concealed_request() -> None:
    cause = find_cause(Side(call(1), None), Side(call(2), None))
    assert (cause.kind, cause.is_break) == (CauseKind.CONCEALED, False)


# Tools, model, provider, parameters.


def test_a_tool_came() -> None:
    cause = between(BEFORE, replace(NEXT, tools=(*BEFORE.tools, "roll")))
    assert (cause.kind, cause.key, cause.provider_reason) == (CauseKind.TOOLS_CHANGED, "tool:roll", "tools_changed")
    assert "roll" in str(cause.sentence)


def test_a_tool_went() -> None:
    cause = between(BEFORE, replace(NEXT, tools=("get-character",)))
    assert (cause.kind, cause.key) == (CauseKind.TOOLS_CHANGED, "tool:emit-event")


def test_a_tool_was_exchanged() -> None:
    cause = between(BEFORE, replace(NEXT, tools=("emit-event", "roll")))
    assert cause.kind is CauseKind.TOOLS_CHANGED
    assert "roll instead of get-character" in str(cause.sentence)


def test_the_definition_of_a_tool_changed() -> None:
    cause = between(BEFORE, replace(NEXT, tool_text="Does {name} well."))
    assert (cause.kind, cause.key) == (CauseKind.TOOLS_CHANGED, "tool:emit-event")


def test_tools_were_swapped() -> None:
    cause = between(BEFORE, replace(NEXT, tools=("get-character", "emit-event")))
    assert cause.kind is CauseKind.TOOLS_REORDERED
    assert cause.remedy is not None


def test_another_model() -> None:
    cause = between(BEFORE, NEXT, became=call(2, model="claude-opus-5"), measured=Measured(400, 300))
    assert (cause.kind, cause.old, cause.new) == (CauseKind.MODEL, "claude-sonnet-4-6", "claude-opus-5")
    assert (cause.provider_reason, cause.tokens_uncached, cause.tokens_lost) == ("model_changed", 400, 300)


def test_another_provider() -> None:
    assert between(BEFORE, NEXT, became=call(2, provider="bedrock")).kind is CauseKind.PROVIDER


def test_a_setting_that_costs_the_messages() -> None:
    facts = ProviderFacts(message_parameters=frozenset({"tool_choice"}))
    cause = between(BEFORE, NEXT, parameters_before={}, parameters={"tool_choice": '{"type":"any"}'}, provider=facts)
    assert (cause.kind, cause.variable, cause.old, cause.new) == (
        CauseKind.PARAMETERS,
        "tool_choice",
        "",
        '{"type":"any"}',
    )


def test_a_setting_that_costs_nothing() -> None:
    cause = between(BEFORE, NEXT, parameters={"temperature": "0.9"}, provider=ProviderFacts())
    assert cause.kind is CauseKind.HELD


def test_a_break_in_the_system_prompt_comes_before_a_setting_for_messages() -> None:
    facts = ProviderFacts(message_parameters=frozenset({"tool_choice"}))
    now = replace(NEXT, preamble="[RUNTIME] Something else.\n\n")
    assert between(BEFORE, now, parameters={"tool_choice": "1"}, provider=facts).kind is CauseKind.PREAMBLE


def test_a_setting_that_costs_everything() -> None:
    facts = ProviderFacts(all_parameters=frozenset({"response_format"}))
    now = replace(NEXT, preamble="[RUNTIME] Something else.\n\n")
    assert between(BEFORE, now, parameters={"response_format": "{}"}, provider=facts).kind is CauseKind.PARAMETERS


# The system prompt.


def test_the_preamble_changed() -> None:
    cause = between(BEFORE, replace(NEXT, preamble="[RUNTIME] You are two parts of an engine.\n\n"))
    assert (cause.kind, cause.key, cause.provider_reason) == (CauseKind.PREAMBLE, "preamble:runtime", "system_changed")


def test_the_body_changed() -> None:
    assert between(BEFORE, replace(NEXT, body="You narrate slowly. The player is ")).kind is CauseKind.BODY


def test_a_variable_changed_its_value() -> None:
    cause = between(BEFORE, replace(NEXT, hero='{"name":"Ines","hurt":true}'))
    assert (cause.kind, cause.variable, cause.plugin) == (CauseKind.VARIABLE, "player.character", "narrator")
    assert (cause.old, cause.new) == ('{"name":"Ines","hurt":false}', '{"name":"Ines","hurt":true}')
    assert cause.remedy is not None
    assert "turn context" in str(cause.remedy)


def test_a_stable_segment_changed() -> None:
    cause = between(BEFORE, replace(NEXT, segments=(("style", "Fancy words.\n\n", Volatility.STABLE),)))
    assert (cause.kind, cause.key, cause.plugin) == (CauseKind.STABLE_SEGMENT, "segment:style", "style")
    assert not cause.is_guess


def test_a_segment_of_unknown_volatility_is_a_guess() -> None:
    before = replace(BEFORE, segments=(("style", "Plain words.\n\n", None),))
    cause = between(before, replace(NEXT, segments=(("style", "Fancy words.\n\n", None),)))
    assert (cause.kind, cause.is_guess) == (CauseKind.STABLE_SEGMENT, True)


def test_a_session_segment_came_and_went() -> None:
    longer = (*BEFORE.segments, ("roster", "Osgood Pell.\n\n", Volatility.SESSION))
    came = between(BEFORE, replace(NEXT, segments=longer))
    went = between(replace(BEFORE, segments=longer), NEXT)
    assert {came.kind, went.kind} == {CauseKind.STABLE_SEGMENT}
    assert (came.key, came.old, went.key, went.new) == ("segment:roster", "", "segment:roster", "")


def test_segments_changed_their_order() -> None:
    two = (("a", "First.\n\n", Volatility.STABLE), ("b", "Second.\n\n", Volatility.STABLE))
    cause = between(replace(BEFORE, segments=two), replace(NEXT, segments=two[::-1]))
    assert cause.kind is CauseKind.STABLE_SEGMENT
    assert "another place" in str(cause.sentence)


def test_a_turn_segment_in_the_system_prompt() -> None:
    cause = between(replace(BEFORE, late="<tide>29</tide>"), replace(NEXT, late="<tide>27</tide>"))
    assert (cause.kind, cause.key) == (CauseKind.TURN_SEGMENT, "segment:late")
    assert "29" in cause.old
    assert "27" in cause.new


def test_a_lorebook_entry_came_in() -> None:
    cause = between(BEFORE, replace(NEXT, lore=(*BEFORE.lore, ("storm", "The bell rings thrice.\n\n"))))
    assert (cause.kind, cause.key, cause.old) == (CauseKind.LORE, "lore:storm", "")
    assert "came in" in str(cause.sentence)


def test_a_lorebook_entry_went() -> None:
    cause = between(BEFORE, replace(NEXT, lore=()))
    assert (cause.kind, cause.key, cause.new) == (CauseKind.LORE, "lore:harbour", "")


def test_a_lorebook_entry_was_edited() -> None:
    cause = between(BEFORE, replace(NEXT, lore=(("harbour", "The harbour never closes.\n\n"),)))
    assert (cause.kind, cause.key) == (CauseKind.LORE, "lore:harbour")
    assert "reads differently" in str(cause.sentence)


def test_a_lorebook_entry_of_the_same_beginning_came_before_another() -> None:
    """The first different letter stands inside both entries; the one that came is to blame."""
    before = replace(BEFORE, lore=(("harbour", "[Lore] harbour.\n\n"),))
    cause = between(before, replace(NEXT, lore=(("bell", "[Lore] bell.\n\n"), ("harbour", "[Lore] harbour.\n\n"))))
    assert (cause.kind, cause.key) == (CauseKind.LORE, "lore:bell")


def test_the_event_directory_changed() -> None:
    assert between(BEFORE, replace(NEXT, events="- storm.rising\n- boat.arrives\n\n")).kind is CauseKind.EVENTS


def test_a_text_of_nobody() -> None:
    cause = between(replace(BEFORE, unknown="alpha"), replace(NEXT, unknown="omega"))
    assert cause.kind is CauseKind.UNKNOWN


def test_a_hook_rewrote_the_prompt() -> None:
    """A segment is gone in the turn in which a hook rewrote something: the hook is likely, not sure."""
    cause = between(BEFORE, replace(NEXT, segments=()), turn=turn_with(2, Event.HOOK_REWROTE))
    assert (cause.kind, cause.key, cause.is_guess) == (CauseKind.HOOK, "segment:style", True)


def test_a_segment_that_is_sure_is_not_the_hooks() -> None:
    now = replace(NEXT, segments=(("style", "Fancy words.\n\n", Volatility.STABLE),), grade=Grade.EXACT)
    assert between(BEFORE, now, turn=turn_with(2, Event.HOOK_REWROTE)).kind is CauseKind.STABLE_SEGMENT


# The history.


def test_a_row_was_edited() -> None:
    rows = (GROWN[0], ("h2", "assistant", "The lamp room is bright and warm."), *GROWN[2:])
    cause = between(BEFORE, replace(NEXT, history=rows))
    assert (cause.kind, cause.key, cause.provider_reason) == (
        CauseKind.HISTORY_EDITED,
        "history:h2",
        "messages_changed",
    )


def test_a_row_left_the_middle() -> None:
    cause = between(replace(BEFORE, history=GROWN), replace(NEXT, history=(GROWN[0], *GROWN[2:])))
    assert (cause.kind, cause.key) == (CauseKind.HISTORY_EDITED, "history:h2")


def test_a_row_came_into_the_middle() -> None:
    rows = (GROWN[0], ("new", "user", "Wait."), *GROWN[1:])
    cause = between(replace(BEFORE, history=GROWN), replace(NEXT, history=rows))
    assert (cause.kind, cause.key) == (CauseKind.HISTORY_EDITED, "history:new")


def test_history_was_compacted() -> None:
    cause = between(replace(BEFORE, history=GROWN), replace(NEXT, summary="<compacted_history>…", history=GROWN[2:]))
    assert (cause.kind, cause.key) == (CauseKind.COMPACTION, "summary:1")


def test_summaries_were_merged() -> None:
    cause = between(replace(BEFORE, summary="<compacted_history>one"), replace(NEXT, summary="<compacted_history>all"))
    assert cause.kind is CauseKind.COMPACTION
    assert "merged" in str(cause.sentence)


def test_the_history_was_cut_off_for_the_first_time() -> None:
    cause = between(replace(BEFORE, history=GROWN), replace(NEXT, marker="[…]", history=GROWN[2:]))
    assert (cause.kind, cause.key) == (CauseKind.PRUNE_CUT, "prune-marker")


def test_the_cut_took_a_segment_in_front_of_the_history() -> None:
    before = replace(BEFORE, example="Example: a debt of three.", history=GROWN)
    cause = between(before, replace(NEXT, marker="[…]", history=GROWN[2:]))
    assert (cause.kind, cause.key) == (CauseKind.PRUNE_CUT, "prune-marker")


def test_the_cut_moved_on() -> None:
    cause = between(replace(BEFORE, marker="[…]", history=GROWN[1:]), replace(NEXT, marker="[…]", history=GROWN[2:]))
    assert (cause.kind, cause.key) == (CauseKind.PRUNE_CUT, "history:h2")


def test_the_history_is_whole_again() -> None:
    cause = between(replace(BEFORE, marker="[…]", history=GROWN[2:]), replace(NEXT, history=GROWN))
    assert cause.kind is CauseKind.PRUNE_CUT
    assert "whole again" in str(cause.sentence)


def test_a_long_row_was_cut_in_the_middle() -> None:
    long = "a" * 100 + " middle " * 50 + "z" * 100
    cut = "a" * 60 + "\n[…]\n" + "z" * 60
    before = replace(BEFORE, history=(("h1", "user", long),))
    cause = between(before, replace(NEXT, history=(("h1", "user", cut),)), turn=turn_with(2, Event.PRUNED))
    assert (cause.kind, cause.key) == (CauseKind.PRUNE_CUT, "history:h1")


def test_the_window_moved_on() -> None:
    cause = between(BEFORE, replace(NEXT, history=GROWN[2:]))
    assert (cause.kind, cause.key, cause.is_guess) == (CauseKind.WINDOW, "history:h1", False)


def test_a_window_that_moved_over_unseen_turns_is_a_guess() -> None:
    cause = between(BEFORE, replace(NEXT, history=(("h9", "user", "Much later."),)))
    assert (cause.kind, cause.is_guess) == (CauseKind.WINDOW, True)


def test_the_story_was_rewound() -> None:
    cause = between(replace(BEFORE, history=GROWN), replace(NEXT, history=HISTORY, line="I go down again."))
    assert (cause.kind, cause.key) == (CauseKind.REWOUND, "history:h3")


def test_the_story_was_rewound_and_went_on_differently() -> None:
    other = (*HISTORY, ("h5", "user", "I go down again."), ("h6", "assistant", "The stairs are wet."))
    assert between(replace(BEFORE, history=GROWN), replace(NEXT, history=other)).kind is CauseKind.REWOUND


def test_lore_came_into_the_history() -> None:
    cause = between(BEFORE, replace(NEXT, history=GROWN, depth_lore="(The fog is cold.)"))
    assert cause.kind is CauseKind.HELD, "new rows stand in front of it"
    cause = between(BEFORE, replace(NEXT, history=HISTORY, depth_lore="(The fog is cold.)"))
    assert (cause.kind, cause.key) == (CauseKind.LORE, "lore:depth")


# Inside a turn.


def test_the_pictures_of_a_turn_changed() -> None:
    """As when a model that takes pictures is followed by an answer for which they could not be read."""
    cause = between(replace(BEFORE, pictures="Picture 1"), replace(BEFORE, pictures="Picture 2"))
    assert (cause.kind, cause.key, cause.is_break) == (CauseKind.PICTURE, "pictures", True)


def test_other_pictures_in_another_turn_are_no_break() -> None:
    before = replace(BEFORE, context="", pictures="Picture 1")
    cause = between(before, replace(before, pictures="Picture 2", line="I look closer."))
    assert (cause.kind, cause.key) == (CauseKind.TURN_CONTEXT, "pictures")


def test_a_tool_result_was_cut() -> None:
    loop = ((Kind.TOOL_CALL, '{"name":"find"}'), (Kind.TOOL_RESULT, "a very long result"))
    now = (loop[0], (Kind.TOOL_RESULT, "a very […] result"), (Kind.TOOL_CALL, '{"name":"done"}'))
    cause = between(replace(BEFORE, loop=loop), replace(BEFORE, loop=now))
    assert (cause.kind, cause.key) == (CauseKind.TOOL_LOOP, "loop:1")
