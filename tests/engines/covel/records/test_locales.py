"""Which variant a locale takes: exact, bare language in the same script, English, the one without a tag."""

import pytest

from covel_inspector.engines.covel.records.locales import choose_variant
from covel_inspector.engines.covel.records.manifests import Localized


def localized(*tags: str) -> Localized:
    return Localized({tag: f"text of {tag or 'none'}" for tag in tags})


@pytest.mark.parametrize(
    ("tags", "locale", "chosen"),
    [
        (["", "zh-CN"], "zh-CN", "zh-CN"),
        (["", "zh-CN"], "zh_cn", "zh-CN"),
        (["", "zh"], "zh-CN", "zh"),
        (["", "zh"], "zh-SG", "zh"),
        (["", "zh"], "zh-TW", ""),
        (["", "zh"], "zh-Hant", ""),
        (["en", "zh"], "zh-Hant", "en"),
        (["", "zh-CN", "en-US"], "zh-HK", "en-US"),
        (["zh-CN", "zh"], "zh-Hans", "zh"),
        (["", "zh-CN"], "zh", "zh-CN"),
        (["zh-TW", "en"], "zh-HK", "zh-TW"),
        (["", "en", "en-US"], "fr", "en"),
        (["", "en-GB", "en-US"], "fr", "en-US"),
        (["", "en-GB"], "fr", "en-GB"),
        (["", "zh"], "fr", ""),
        (["", "zh"], "", ""),
        (["", "en"], "no tag at all", "en"),
        (["sr"], "sr-Latn", None),
        (["zh"], "zh-Hant", None),
        ([], "en", None),
        (["zh", "en"], "../zh", "en"),
    ],
)
def test_the_choice(tags: list[str], locale: str, chosen: str | None) -> None:
    variant = choose_variant(localized(*tags), locale)
    assert (None if variant is None else variant.tag) == chosen
    if variant is not None:
        assert variant.text == f"text of {chosen or 'none'}"


def test_a_known_locale_of_the_untagged_variant_counts() -> None:
    texts = localized("", "en")
    assert choose_variant(texts, "zh-CN") == choose_variant(texts, "en")
    chosen = choose_variant(texts, "zh-CN", untagged="zh")
    assert chosen is not None
    assert chosen.tag == ""


def test_all_different_texts_are_at_hand() -> None:
    texts = Localized({"": "a", "en": "a", "zh": "b"})
    assert texts.distinct() == (("", "a"), ("zh", "b"))
