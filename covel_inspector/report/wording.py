"""Sentences in the reader's language: the catalogue behind the window and the command line.

English is the template itself. Other languages are flat JSON objects, template to template, one file a room in
``resources/translations/<language>/``.
"""

import json
import locale
import os
from collections.abc import Mapping
from functools import cache

from covel_inspector.domain import Sentence
from covel_inspector.resource_files import resource_path

ENGLISH = "en"
CHINESE = "zh-CN"
LANGUAGES: Mapping[str, str] = {ENGLISH: "English", CHINESE: "简体中文"}
"""Language tag to its name in itself."""


class Catalogue:
    """Turns sentences into text of one language. A template without an entry reads in English."""

    def __init__(self, language: str, templates: Mapping[str, str]) -> None:
        self.language = language
        self._templates = templates

    def look_up(self, template: str) -> str:
        """The template in this language, or as it is."""
        return self._templates.get(template, template)

    def text(self, sentence: Sentence) -> str:
        """A sentence, filled."""
        return sentence.render(self.look_up)


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language tag; English for one that we do not have."""
    if language == ENGLISH or language not in LANGUAGES:
        return Catalogue(ENGLISH, {})
    templates: dict[str, str] = {}
    for file in sorted(resource_path("translations", language).glob("*.json")):
        templates.update(json.loads(file.read_text(encoding="utf-8")))
    return Catalogue(language, templates)


def system_language() -> str:
    """The language of the system among ours: any Chinese in simplified script reads Chinese, all else English."""
    chosen = (
        os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or locale.getlocale()[0]
    )
    return best_language(chosen or "")


def best_language(tag: str) -> str:
    """Ours that fits a locale tag best: ``zh_CN.UTF-8``, ``zh-Hans-SG``, ``zh`` read Chinese, ``zh-TW`` does not."""
    fields = tag.split(".", maxsplit=1)[0].replace("_", "-").lower().split("-")
    traditional = {"tw", "hk", "mo", "hant"}
    return CHINESE if fields[0] in ("zh", "chinese (simplified)") and not traditional & set(fields) else ENGLISH
