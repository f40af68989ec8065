"""Which variant a locale takes: exact, bare language in the same script, English, the one without a tag."""

import pytest

from covel_inspector.engines.covel.records.locales import choose_from_map, choose_variant, parse_locale
from covel_inspector.engines.covel.records.manifests import Localized


def localized(*tags: str) -> Localized:
    return Localized({tag: f"text of {tag or 'none'}" for tag in tags})


@pytest.mark.parametrize(
    ("written", "tag", "script"),
    [
        ("zh", "zh", "Hans"),
        ("ZH_cn", "zh-CN", "Hans"),
        (" zh-tw ", "zh-TW", "Hant"),
        ("zh-hk", "zh-HK", "Hant"),
        ("zh-hant-cn", "zh-Hant-CN", "Hant"),
        ("zh-Hans-TW", "zh-Hans-TW", "Hans"),
        ("en_gb", "en-GB", "Latn"),
        ("sr-ME", "sr-ME", "Latn"),
        ("es-419", "es-419", "Latn"),
        ("tlh", "tlh", ""),
        ("en-US-POSIX", "en-US-posix", "Latn"),
    ],
)
def test_tags_are_read_in_any_spelling(written: str, tag: str, script: str) -> None:
    locale = parse_locale(written)
    assert locale is not None
    assert (locale.tag, locale.script) == (tag, script)


@pytest.mark.parametrize(
    "written", ["", " ", "../zh", "zh-", "-zh", "z", "zh--CN", "zh.CN", "en-" + "a" * 9, "中文", "en-a" * 20]
)
def test_what_is_no_tag_is_refused(written: str) -> None:
    assert parse_locale(written) is None


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
        (["en-Latn-US", "zh"], "en-US", "en-Latn-US"),
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


def test_a_map_falls_back_to_its_first_text() -> None:
    chosen = choose_from_map({"ja": "一", "ko": "二"}, "zh-Hant")
    assert chosen is not None
    assert chosen.text == "一"
    assert choose_from_map({}, "en") is None


def test_all_different_texts_are_at_hand() -> None:
    texts = Localized({"": "a", "en": "a", "zh": "b"})
    assert texts.distinct() == (("", "a"), ("zh", "b"))
