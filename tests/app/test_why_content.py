"""What the Why panel says."""

from dataclasses import replace

from asking import ask
from fake_source import ENGLISH, fake_source

from covel_inspector.analysis.pairs import Pair, PairState
from covel_inspector.app.page import NOTHING, LinkTo, Page
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.why_chain import Further
from covel_inspector.app.why_content import absent_page, call_page, segment_page
from covel_inspector.domain import Event, Grade, Kind, Status, Verdict, Volatility, say


def pair_of(prepared: Prepared, key: str) -> Pair:
    return next(pair for pair in prepared.comparison.walk() if pair.key == key)


def facts(page: Page) -> dict[str, str]:
    """What stands behind each label: the value, else the texts of the links."""
    return {
        str(fact.label): str(fact.value or " ↳ ".join(str(link.text) for link in fact.links)) for fact in page.facts
    }


def said(page: Page) -> str:
    return "\n".join(str(sentence) for sentence in (*page.paragraphs, *page.warnings))


def test_segment_says_kind_plugin_evidence_and_tokens() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0")
    page = segment_page(pair_of(prepared, "body"), prepared)
    assert page.kind is Kind.BODY
    known = facts(page)
    assert known["Kind"] == "runtime body"
    assert known["Plugin"] == "narrator"
    assert known["Declared"] == "changes stable"
    assert known["Role"] == "system"
    assert known["Evidence"] == "exact: as declared"
    assert known["Tokens"] == "18, estimated (letters / 4)"
    assert "The same on both sides." in said(page)
    link = next(fact for fact in page.facts if str(fact.label) == "From").links[0]
    assert (link.to, link.target, str(link.text)) == (
        LinkTo.FILE,
        "plugins/narrator/PLUGIN.md",
        "plugins/narrator/PLUGIN.md:12",
    )
    assert page.count_text.startswith("# Narrator")
    assert page.model == "imaginary-large"


def test_segment_of_one_side_answers_for_that_side() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0")
    added = segment_page(pair_of(prepared, "lore:night"), prepared)
    assert "Only the right side has it." in said(added)
    assert "matched by a key in the player line" in said(added)
    back = ask(f"{ENGLISH}:1:narrator:0", Target(TargetKind.ADDRESS, f"{ENGLISH}:2:narrator:0"))
    removed = segment_page(pair_of(back, "lore:night"), back)
    assert "Only the left side has it." in said(removed)
    assert facts(removed)["Tokens"] == "10, estimated (letters / 4)"


def test_change_of_tokens_names_the_side() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0")
    assert facts(segment_page(pair_of(prepared, "player-line"), prepared))["Tokens"] == (
        "10, estimated (letters / 4); +4 to the left side"
    )


def test_guess_and_unknown_are_warned_of() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0")
    pair = pair_of(prepared, "body")
    for grade, word in ((Grade.GUESS, "is a guess"), (Grade.UNKNOWN, "Nobody knows")):
        doubtful = replace(pair, b=replace(pair.b, grade=grade, volatility=Volatility.TURN))
        page = segment_page(doubtful, prepared)
        assert word in said(page)
        assert "It changes with the turn" in said(page)


def test_every_state_of_a_pair_has_a_sentence() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0")
    pair = pair_of(prepared, "body")
    sentences = {said(segment_page(replace(pair, state=state), prepared)) for state in PairState}
    assert len(sentences) == len(PairState)


def test_rebuilt_side_is_never_taken_for_a_recording() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0", Target(TargetKind.REBUILT))
    assert "not a recording" in said(segment_page(pair_of(prepared, "body"), prepared))


def test_piece_taken_from_the_recording_is_not_called_rebuilt() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0", Target(TargetKind.REBUILT))
    pair = pair_of(prepared, "body")
    taken = replace(pair.b, taken=True, reason=say("taken from the recording: plugin code makes this segment"))
    page = segment_page(replace(pair, b=taken), prepared)
    assert facts(page)["Evidence"] == "taken from the recording: plugin code makes this segment"
    assert "not rebuilt but taken over from a recording" in said(page)
    assert "It is not a recording" not in said(page)


def test_branch_with_taken_parts_says_that_some_are() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0", Target(TargetKind.REBUILT))
    pair = pair_of(prepared, "system")
    first, *others = pair.b.children
    mixed = replace(pair.b, children=(replace(first, taken=True), *others))
    assert "except for parts taken over from a recording" in said(segment_page(replace(pair, b=mixed), prepared))


def test_call_says_model_usage_verdict_and_what_was_left_out() -> None:
    page = call_page(ask(f"{ENGLISH}:1:narrator:0"))
    known = facts(page)
    assert known["Model"] == "imaginary-large by imaginary"
    assert known["Reported"] == "800 tokens in, 640 of them from the cache (80\u202f%), 90 tokens out"
    assert known["Rebuilt"] == "identical"
    assert [(str(entry.title), str(entry.why)) for entry in page.left_out] == [("Lore · night", "no key matched")]
    assert "100\u202f% of the rebuilt text" in said(page)


def test_call_that_differs_offers_the_rebuilt_request() -> None:
    offered = [link.target for link in call_page(ask(f"{ENGLISH}:2:narrator:0")).links]
    assert offered == ["with-rebuilt", f"{ENGLISH}:1:narrator:0"]
    back = call_page(ask(f"{ENGLISH}:2:narrator:0", Target(TargetKind.REBUILT)))
    assert [link.target for link in back.links] == ["with-previous-turn"]


def test_call_without_usage_or_recording_says_so() -> None:
    page = call_page(ask(f"{ENGLISH}:2:harbor-clerk/ledger:0"))
    assert facts(page)["Reported"] == "the provider reported no usage"
    assert facts(page)["Made as"] == "attempt 2"
    broken = call_page(ask(f"{ENGLISH}:2+1:painter:0"))
    assert "payload is no JSON" in said(broken)


def test_turn_without_a_call_says_why() -> None:
    page = call_page(ask("", turn="3"))
    assert "did not fit" in said(page)
    assert page.facts == ()


def test_absent_thing_says_why_it_is_not_there() -> None:
    prepared = ask(f"{ENGLISH}:1:narrator:0")
    page = absent_page(prepared.b.tree.absent[0], prepared)
    assert str(page.title) == "Lore · night"
    assert said(page) == "It is not in the request.\nno key matched"
    assert page.count_text.startswith("The night watch")


def test_many_things_left_out_for_one_reason_are_told_of_together() -> None:
    prepared = ask(f"{ENGLISH}:1:narrator:0")
    lore = prepared.b.tree.absent[0]
    history = [replace(lore, key=f"history:{n}", kind=Kind.HISTORY, note=say("out of the window")) for n in range(9)]
    tree = replace(prepared.b.tree, absent=(lore, *history))
    page = call_page(replace(prepared, b=replace(prepared.b, tree=tree)))
    assert [str(entry.title) for entry in page.left_out] == ["Lore · night", "history × 9"]
    assert page.left_out[1].text.count("night watch") == 9


def test_nothing_is_a_page_too() -> None:
    assert call_page(Prepared(None, None)) == NOTHING


def test_events_of_the_domain_have_words_and_drawings() -> None:
    from covel_inspector.app.story_model import EVENT_TITLES
    from covel_inspector.resource_files import resource_path

    for event in Event:
        assert event in EVENT_TITLES
        assert resource_path("icons", f"{event.value}.svg").is_file()


def test_what_counts_as_unchanging_but_changed_is_not_called_unchanged() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0")
    pair = pair_of(prepared, "body")
    assert "It does not change" in said(segment_page(pair, prepared))
    changed = said(segment_page(replace(pair, state=PairState.CHANGED), prepared))
    assert "It does not change" not in changed
    assert "another text here" in changed


def test_a_reason_that_tree_and_look_up_both_know_is_said_once() -> None:
    prepared = ask(f"{ENGLISH}:2:narrator:0")
    pair = pair_of(prepared, "lore:night")
    state = next(one for one in fake_source().lorebook(prepared.b.call.address) if one.key == "lore:night")
    known = replace(pair.b, notes=(state.why, *pair.b.notes))
    page = segment_page(replace(pair, b=known), prepared, Further("", lore={state.key: state}))
    told = [str(sentence) for sentence in page.paragraphs]
    assert told.count(str(state.why)) == 1
    assert len(told) == len(set(told))


def test_a_reason_that_is_message_and_verdict_is_said_once() -> None:
    why = say("The runtime is concealed.")
    side = Side("s:1:n:0", say("turn 1"), verdict=Verdict(Status.IMPOSSIBLE, why), message=why)
    assert call_page(Prepared(None, side)).paragraphs.count(why) == 1
