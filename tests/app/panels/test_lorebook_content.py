"""What the Lorebook panel lists and tells, without a window."""

from dataclasses import replace

import pytest
from fake_source import ENGLISH, fake_source
from fake_trees import TIDE, narrator

from covel_inspector.app.page import LinkTo, Page
from covel_inspector.app.panels.lorebook_page import entry_page
from covel_inspector.app.panels.lorebook_rows import COLUMNS, OUTCOME, Entry, counts, lorebook_rows
from covel_inspector.app.panels.turn_strip import Tick, runs
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Address, LoreHistory, LoreHit, LoreOutcome, LoreState, Place, plain

HERE = Address(ENGLISH, "2", "narrator", 0)


@pytest.fixture
def wording(qapp: object) -> Wording:
    return Wording("en")


def states() -> tuple[LoreState, ...]:
    return tuple(fake_source().lorebook(HERE))


def history() -> LoreHistory:
    return fake_source().lorebook_history(ENGLISH, "narrator")


def cells(row: object) -> list[str]:
    return [cell.text for cell in row.cells]


def told(page: Page) -> str:
    facts = [f"{fact.label}: {fact.value or ' · '.join(str(link.text) for link in fact.links)}" for fact in page.facts]
    return "\n".join([*facts, *(str(sentence) for sentence in (*page.lead, *page.paragraphs, *page.warnings))])


def test_rows_say_why_and_where(wording: Wording) -> None:
    night, draft = lorebook_rows(states(), None, history(), HERE, wording)
    assert cells(night)[:4] == ["night", "'lantern' in the player's line", "before_plugin · order 10", "10"]
    assert night.cells[1].icon == "in"
    assert not night.is_faint
    assert cells(draft)[1] == "the entry is switched off"
    assert draft.cells[1].icon == "out"
    assert draft.is_faint
    assert night.spoken.endswith(", in")
    assert draft.spoken.endswith(", out")
    assert len(night.cells) == len(COLUMNS)


def test_strip_has_a_tick_for_each_turn_and_frames_the_current_one(wording: Wording) -> None:
    night, draft = lorebook_rows(states(), None, history(), HERE, wording)
    strip = night.cells[4].drawing
    assert (strip.ticks, strip.current) == ((Tick.OUT, Tick.IN), 1)
    assert [strip.tip_of(n) for n in (0, 1)] == ["turn 1: no key matched", "turn 2: in by the key 'lantern'"]
    assert draft.cells[4].drawing.ticks == (Tick.NEVER, Tick.NEVER)
    elsewhere = replace(HERE, turn="9")
    assert lorebook_rows(states(), None, history(), elsewhere, wording)[0].cells[4].drawing.current is None


@pytest.mark.parametrize("outcome", list(LoreOutcome))
def test_every_outcome_has_a_row_and_a_word(wording: Wording, outcome: LoreOutcome) -> None:
    state = replace(states()[0], outcome=outcome, sent=None)
    row = lorebook_rows([state], None, history(), HERE, wording)[0]
    assert row.is_faint is not outcome.is_in
    assert str(OUTCOME[outcome])
    assert str(OUTCOME[outcome]) in told(entry_page(Entry(state), HERE, (), None, "letters"))


def test_near_miss_is_told_instead_of_the_bare_reason(wording: Wording) -> None:
    miss = replace(
        states()[0], outcome=LoreOutcome.NO_KEY, sent=False, hits=(), nearest_miss=plain("lamp stands in lamplight")
    )
    assert cells(lorebook_rows([miss], None, history(), HERE, wording)[0])[1] == "lamp stands in lamplight"


def test_tried_line_puts_changes_first_and_says_them(wording: Wording) -> None:
    source = fake_source()
    quiet = tuple(source.lorebook(replace(HERE, turn="1")))
    tried = tuple(source.try_line(HERE, "a lantern"))
    first, second = lorebook_rows(quiet, tried, history(), HERE, wording)
    assert cells(first)[:2] == ["night", "would come in: 'lantern' in the player's line"]
    assert first.cells[1].icon == "added"
    assert cells(second)[1] == "the entry is switched off"
    assert str(counts(quiet, tried)) == "With this line: 1 more, 0 fewer"
    lost = lorebook_rows(states(), tuple(source.try_line(HERE, "nothing")), history(), HERE, wording)[0]
    assert cells(lost)[1].startswith("would drop out: ")
    assert lost.cells[1].icon == "removed"
    assert str(counts(states(), states())) == "With this line: the same entries"
    assert str(counts(states(), None)) == "1 in, 1 out"


def test_filter_finds_words_of_label_key_and_content(wording: Wording) -> None:
    def found(words: str) -> list[str]:
        return [row.key for row in lorebook_rows(states(), None, history(), HERE, wording, words)]

    assert found("LANTERN carries") == ["lore:night"]
    assert found("敲门") == ["lore:night"]
    assert found("player draft") == ["lore:draft"]
    assert found("nothing like it") == []


def test_hit_leads_to_the_very_characters_in_the_request() -> None:
    state = replace(states()[0], hits=(LoreHit("lantern", None, 29, 36, 0, TIDE.lines[1]),))
    request = narrator(TIDE, 2)
    page = entry_page(Entry(state), HERE, history().addresses, request, "letters")
    link = next(fact for fact in page.facts if str(fact.label) == "Keys found").links[0]
    assert (link.to, link.target) == (LinkTo.PLACE, str(HERE))
    assert isinstance(link.place, Place)
    assert request.request.parts[link.place.part].text[link.place.start : link.place.end] == "lantern"
    assert page.links[0].place == "lore:night"
    without = entry_page(Entry(state), HERE, (), None, "letters")
    link = next(fact for fact in without.facts if str(fact.label) == "Keys found").links[0]
    assert link.to is LinkTo.COPY
    assert "(not in the request)" in str(link.text)


def test_hits_name_their_message() -> None:
    for back, words in ((1, "in the message just before"), (3, "3 messages back")):
        hit = LoreHit("bell", "row", 0, 4, back, "bell")
        assert words in told(entry_page(Entry(replace(states()[0], hits=(hit,))), HERE, (), None, "letters"))


def test_page_says_scan_turns_and_contradictions(wording: Wording) -> None:
    night = lorebook_rows(states(), None, history(), HERE, wording)[0]
    page = entry_page(night.subject, HERE, history().addresses, None, "letters")
    assert "Scans: the player line and the 2 newest messages" in told(page)
    assert "In turns: 2 (1 of 2)" in told(page)
    assert page.quote == "The night watch carries red lanterns."
    at_one = replace(HERE, turn="1")
    first = lorebook_rows(states(), None, history(), at_one, wording)[0]
    page = entry_page(first.subject, at_one, history().addresses, None, "letters")
    link = next(fact for fact in page.facts if str(fact.label) == "In turns").links[0]
    assert (link.to, link.target) == (LinkTo.ADDRESS, str(HERE))
    lying = entry_page(Entry(replace(states()[0], sent=False)), HERE, (), None, "letters")
    assert "the recorded request does not hold it" in told(lying)
    other = entry_page(Entry(replace(states()[1], sent=True)), HERE, (), None, "letters")
    assert "but the recorded request holds it" in told(other)
    for depth, words in ((0, "the player line only"), (1, "and the newest message")):
        assert words in told(entry_page(Entry(replace(states()[0], scan_depth=depth)), HERE, (), None, "letters"))


def test_tried_entry_never_reads_like_something_that_happened() -> None:
    page = entry_page(Entry(states()[0], states()[1]), HERE, (), narrator(TIDE, 2), "letters")
    assert "nothing of it was sent" in told(page)
    assert all(link.to is not LinkTo.PLACE for fact in page.facts for link in fact.links)


def test_a_recording_that_says_otherwise_is_marked_in_list_count_and_strip(wording: Wording) -> None:
    night, draft = states()
    missed, against = replace(night, sent=False), replace(draft, sent=True)
    past = history()
    turned = replace(past, rows=tuple(replace(row, sent=tuple(not sent for sent in row.sent)) for row in past.rows))
    row, other = lorebook_rows((missed, against), None, turned, HERE, wording)
    assert cells(row)[1].startswith("not in the recorded request, though by the rows of now it should be in: 'lantern'")
    assert cells(other)[1].startswith("in the recorded request, though by the rows of now it should be out")
    assert [one.cells[1].icon for one in (row, other)] == ["unsure", "unsure"]
    assert row.spoken.endswith(", out")
    assert other.spoken.endswith(", in")
    assert row.cells[4].drawing.ticks == (Tick.AGAINST, Tick.MISSED)
    assert row.cells[4].drawing.tip_of(1).startswith("turn 2: not in the recorded request")
    assert str(counts((missed, against), None)) == "1 in, 1 out by the rows of now · the recorded request holds 1"
    page = entry_page(Entry(missed), HERE, (), None, "letters")
    assert str(page.lead[0]) == "By its rules it should be in, but the recorded request does not hold it."


def test_a_turn_that_was_never_sent_is_in_no_run() -> None:
    assert runs(("4", "5", "6", "8"), (Tick.IN, Tick.OUT, Tick.IN, Tick.IN)) == "4, 6, 8"
    assert runs(("1", "2", "3"), (Tick.IN, Tick.AGAINST, Tick.MISSED)) == "1–2"
    assert runs(("0", "opening"), (Tick.IN, Tick.IN)) == "0–opening"
