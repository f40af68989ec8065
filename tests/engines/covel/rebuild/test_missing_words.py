"""Words of covered rows that a summary no longer holds."""

from covel_inspector.domain import HintKind
from covel_inspector.engines.covel.rebuild.missing_words import MOST_HINTS, NamedThing, Passage, missing_words


def hints(texts: list[str], summary: str, named: tuple[NamedThing, ...] = ()) -> dict[str, tuple[HintKind, int]]:
    passages = [Passage(f"history:{number}", text) for number, text in enumerate(texts)]
    return {hint.text: (hint.kind, hint.count) for hint in missing_words(passages, summary, named)}


def test_names_of_characters_go_by_any_of_their_words() -> None:
    keeper = NamedThing(HintKind.NAME, ("顾伯衡", "顾伯"))
    girl = NamedThing(HintKind.NAME, ("阿绫",))
    texts = ["顾伯提着灯。", "阿绫敲门，顾伯没有应。"]
    assert hints(texts, "守灯人在塔里。", (keeper, girl)) == {"顾伯衡": (HintKind.NAME, 2), "阿绫": (HintKind.NAME, 1)}
    assert hints(texts, "顾伯在塔里。", (keeper, girl)) == {"阿绫": (HintKind.NAME, 1)}


def test_keys_of_the_lorebook_are_terms() -> None:
    bell = NamedThing(HintKind.TERM, ("海铃",))
    assert hints(["海铃响了三下"], "夜里有声音", (bell,)) == {"海铃": (HintKind.TERM, 1)}
    assert hints(["没有声音"], "夜里有声音", (bell,)) == {}


def test_numbers_in_both_scripts() -> None:
    found = hints(["二百一十四级台阶，第十五级淹了。", "Three bells at 4:30, and 12 more steps."], "台阶")
    assert set(found) == {"二百一十四", "第十五", "4:30", "12"}
    assert {kind for kind, _ in found.values()} == {HintKind.NUMBER}
    assert hints(["万一他千万别来"], "没有") == {}


def test_quoted_words_but_no_spoken_lines() -> None:
    found = hints(["他念《潮汐录》，又提到“凉灯”。“你来做什么？我不认识你。”"], "他在读书")
    assert found == {"潮汐录": (HintKind.QUOTED, 1), "凉灯": (HintKind.QUOTED, 1)}


def test_capitalised_words_inside_sentences() -> None:
    texts = ["The letter is for Ines Calder of the Tamsin ferry.", "You see Pell. He waits by the chalk wall."]
    found = hints(texts, "A letter was carried to Calder.")
    assert "Tamsin" in found
    assert "Ines Calder" not in found
    assert "The" not in found
    assert "He" not in found


def test_the_first_row_that_has_a_word_is_named() -> None:
    passages = [Passage("a", "nothing"), Passage("b", "the year 1871"), Passage("c", "again 1871")]
    (hint,) = missing_words(passages, "years ago", ())
    assert (hint.row, hint.count) == ("b", 2)


def test_a_long_story_gives_few_hints() -> None:
    texts = [f"She counted {number} boats." for number in range(10, 400)]
    assert len(hints(texts, "She counted.")) == MOST_HINTS


def test_odd_texts_give_no_hints() -> None:
    assert hints([], "anything") == {}
    assert hints(["", "\ud83d", "“”《》"], "") == {}
