"""Text packs."""

import json
from pathlib import Path

import pytest
from covel_vectors import VECTORS, assembler_pack, budget_pack

from covel_inspector.engines.covel.assembler.wording import language_name
from covel_inspector.engines.covel.textpack import FORMAT, TextPack, TextPackError, default_pack

WIRE_KEYS = {"wire.anthropicOpener", "wire.responseFormatLead", "wire.imagePlaceholder"}


def pack(**texts: object) -> TextPack:
    return TextPack.from_json({"format": FORMAT, "texts": texts})


def test_the_default_pack_has_every_text_in_both_languages() -> None:
    needed = set(assembler_pack().texts) | set(budget_pack().texts) | WIRE_KEYS
    ours = default_pack()
    assert set(ours.texts) == needed
    assert all(set(variants) == {"en", "zh"} for variants in ours.texts.values())


def test_the_default_pack_knows_the_same_placeholders_and_shapes() -> None:
    ours = default_pack()
    for theirs in (assembler_pack(), budget_pack()):
        for key, variants in theirs.texts.items():
            for language in variants:
                text, given = ours.text(key, language), theirs.text(key, language)
                assert set(_placeholders(text)) == set(_placeholders(given)), key
                if key.startswith("preamble."):
                    assert [line.partition(" ")[0] for line in text.split("\n") if line.startswith("[")][:1] == [
                        line.partition(" ")[0] for line in given.split("\n") if line.startswith("[")
                    ][:1], key
    for key in ("truncation.toolResult", "truncation.summary"):
        for language in ("en", "zh"):
            assert ours.text(key, language).startswith("\n")
            assert ours.text(key, language).endswith("\n")


def _placeholders(text: str) -> list[str]:
    return [piece.partition("}")[0] for piece in text.split("{")[1:]]


def test_our_wording_is_our_own() -> None:
    ours = default_pack()
    for theirs in (assembler_pack(), budget_pack()):
        for key, variants in theirs.texts.items():
            for language in variants:
                text = ours.text(key, language)
                assert len(text) < 12 or text != theirs.text(key, language), key


def test_placeholders_are_filled_in_one_pass() -> None:
    texts = pack(a={"en": "{x}-{y}-{x}-{z}"})
    assert texts.text("a", "en", x="{y}", y="2") == "{y}-2-{y}-{z}"


def test_a_list_is_lines_or_words() -> None:
    texts = pack(a={"en": ["one", "two"], "zh": "一"})
    assert texts.text("a", "en") == "one\ntwo"
    assert texts.words("a", "en") == ("one", "two")
    assert texts.text("a", "zh") == "一"


def test_a_missing_language_falls_back_and_a_missing_key_is_named() -> None:
    assert pack(a={"en": "x"}).text("a", "zh") == "x"
    assert pack(a={"zh": "甲"}).text("a", "en") == "甲"
    with pytest.raises(TextPackError, match="'b'"):
        pack(a={"en": "x"}).text("b", "en")


def test_an_overlay_wins_language_by_language() -> None:
    under = pack(a={"en": "x", "zh": "甲"}, b={"en": "y"})
    merged = under.overlaid(pack(a={"zh": "乙"}))
    assert (merged.text("a", "en"), merged.text("a", "zh"), merged.text("b", "en")) == ("x", "乙", "y")
    assert under.text("a", "zh") == "甲"


@pytest.mark.parametrize(
    "content",
    [
        "no json",
        "[]",
        "{}",
        '{"format": "other", "texts": {}}',
        json.dumps({"format": FORMAT, "texts": {"a": "x"}}),
        json.dumps({"format": FORMAT, "texts": {"a": {"en": [1]}}}),
    ],
)
def test_a_bad_pack_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    file = tmp_path / "pack.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(TextPackError) as caught:
        TextPack.load(file)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(TextPackError, match="cannot be read"):
        TextPack.load(tmp_path / "nothing.json")


def test_languages_have_their_own_names() -> None:
    known = json.loads((VECTORS / "assembler" / "support" / "language-names.json").read_text(encoding="utf-8"))
    assert {locale: language_name(locale) for locale in known} == {
        locale: (name, True) for locale, name in known.items()
    }
    assert language_name("not a locale") == ("not a locale", True)
    assert language_name("tlh_kx") == ("tlh-KX", False)
