"""What recorded calls teach: the engine's sentences."""

import json
from functools import cache

import pytest
from sample_calls import DATA, read_sample, sample_root
from small_story import CONTEXT, Story, assistant, system, user

from covel_inspector.engines.covel.attribution import (
    CallMoment,
    Lesson,
    attribute,
    index_session,
    learn_pack,
    overlay,
)
from covel_inspector.engines.covel.textpack import default_pack

SAME_IN_EFFECT = {
    "preamble.completion.completing-tool",  # The blanks around the name may belong to the sentence or to the name.
    "preamble.completion.completing-tool.one",
    "pictures.item",  # The sample's file spells the placeholder in another way.
}


@cache
def lessons(name: str, with_files: bool) -> tuple[Lesson, ...]:
    sample = read_sample(name)
    indexes = sample.indexes(sample_root() if with_files else None)
    return tuple(
        Lesson(attribute(call.call, call.moment, indexes[call.session]), call.moment, indexes[call.session])
        for call in sample.calls
    )


def true_texts() -> dict[str, dict[str, str]]:
    texts = json.loads((DATA / "sample-texts.json").read_text(encoding="utf-8"))["texts"]
    return {
        key: {language: "\n".join(text) if isinstance(text, list) else text for language, text in variants.items()}
        for key, variants in texts.items()
    }


@pytest.mark.parametrize("with_files", [False, True], ids=["rows", "rows and files"])
@pytest.mark.parametrize(("name", "language"), [("emberwatch", "zh"), ("tidewater", "en")])
def test_the_sentences_of_a_sample_are_learned(name: str, language: str, with_files: bool) -> None:
    learned, true = learn_pack(lessons(name, with_files)), true_texts()

    assert {key for key, texts in learned.items() if texts[language] != true[key][language]} <= SAME_IN_EFFECT
    assert {"preamble.runtime", "preamble.language", "lore.heading", "story.cue", "inputs.storyNote"} <= set(learned)
    assert {"preamble.completion.story", "preamble.completion.runtime-done", "events.instruction"} <= set(learned)
    assert ("plugindata.none" in learned) == with_files
    if language == "en":
        assert {"pruned.marker", "truncation.toolResult", "retry.hint"} <= set(learned)
    else:
        assert learned["pictures.item"]["zh"] == "图 {index}：{caption}"
        assert learned["summary.note"] == {"zh": true["summary.note"]["zh"]}


def test_a_tools_sentence_is_the_same_when_it_is_filled_in() -> None:
    pack = overlay(default_pack(), learn_pack(lessons("emberwatch", True)))

    tool = pack.text("preamble.completion.completing-tool.one", "zh", name="`update-dimensions`")
    sentence = pack.text("preamble.completion.completing-tool", "zh", tool=tool)

    assert sentence == "[COMPLETION]  `update-dimensions` 成功，就算完成。\n[COMPLETION] 没有变化也用它报告。"


def test_an_overlay_keeps_what_was_not_learned() -> None:
    pack = overlay(default_pack(), learn_pack(lessons("tidewater", False)))

    assert pack.text("story.cue", "en") == true_texts()["story.cue"]["en"]
    assert pack.text("story.cue", "zh") == default_pack().text("story.cue", "zh")
    assert pack.text("plugindata.more", "en") == default_pack().text("plugindata.more", "en")


def test_what_calls_disagree_on_is_not_learned(story: Story) -> None:
    story.told, story.runtime = "Snow falls.", "codex"
    index = index_session(story.evidence())
    moment = CallMoment("turn-4", "codex", "codex", story.now)
    trees = [
        story.tree(system(CONTEXT), user(story.current), assistant("Snow falls."), user(cue))
        for cue in ("One.", "Two.")
    ]

    assert learn_pack([Lesson(trees[0], moment, index)])["story.cue"] == {"en": "One."}
    assert "story.cue" not in learn_pack([Lesson(tree, moment, index) for tree in trees])


def test_the_sentence_for_an_empty_line_is_learned(story: Story) -> None:
    story.current = " "
    index = index_session(story.evidence())
    moment = CallMoment("turn-4", "narrator", "narrator", story.now)

    plain = story.tree(*story.history(), system(CONTEXT), user("(Nothing was typed.)"))
    by_hand = story.tree(*story.history(), system(CONTEXT), user("narrator runs by hand."))

    assert learn_pack([Lesson(plain, moment, index)])["turn.emptyInput"] == {"en": "(Nothing was typed.)"}
    assert learn_pack([Lesson(by_hand, moment, index)])["turn.manualTrigger"] == {"en": "{runtimeId} runs by hand."}
