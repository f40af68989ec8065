"""The locale variants of a file: ``PLUGIN.md``, ``PLUGIN.zh-CN.md`` … in one folder."""

from dataclasses import dataclass
from pathlib import Path

from covel_inspector.domain import Severity, say
from covel_inspector.engines.covel.checkout.files import Desk, TextFile
from covel_inspector.engines.covel.checkout.front_matter import Page, read_page
from covel_inspector.engines.covel.javascript import parse_locale
from covel_inspector.engines.covel.records.manifests import FilePlace, Localized


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of one name by canonical tag; the main one, without a tag, comes first and may be missing."""

    by_tag: dict[str, Page]

    @property
    def main(self) -> Page | None:
        """The page that declares: the one without a tag, else the first."""
        return self.by_tag.get("") or next(iter(self.by_tag.values()), None)

    def bodies(self) -> Localized:
        """The bodies that are not empty."""
        filled = {tag: page for tag, page in self.by_tag.items() if page.body}
        return Localized(
            {tag: page.body for tag, page in filled.items()},
            {tag: FilePlace(page.file.path, page.body_line) for tag, page in filled.items()},
        )


def variant_files(desk: Desk, folder: Path, stem: str, suffix: str = ".md") -> dict[str, TextFile]:
    """The readable files ``stem[.locale]suffix`` of a folder by canonical tag, the one without a tag first."""
    found: dict[str, Path] = {}
    for name in desk.names(folder):
        if not (name.startswith(f"{stem}.") and name.endswith(suffix)):
            continue
        tag = name[len(stem) + 1 : -len(suffix)] if name != stem + suffix else ""
        place = FilePlace(desk.shown(folder / name), 0)
        locale = parse_locale(tag)
        if tag and locale is None:
            desk.report(Severity.WARNING, place, say("'{tag}' is no locale, so this file is not used", tag=tag))
            continue
        key = locale.tag if locale else ""
        if key in found:
            desk.report(
                Severity.WARNING, place, say("Another file has the same locale {tag}; this one is not used", tag=key)
            )
            continue
        found[key] = folder / name
    read = {key: desk.read(path) for key, path in sorted(found.items())}
    return {key: file for key, file in read.items() if file is not None}


def read_pages(desk: Desk, folder: Path, stem: str) -> Pages:
    """The variants of a Markdown file with front matter. Only the main one must have any."""
    pages = Pages({tag: read_page(desk, file) for tag, file in variant_files(desk, folder, stem).items()})
    main = pages.main
    if main is not None and "" not in pages.by_tag:
        desk.report(
            Severity.WARNING,
            main.file.place(0),
            say(
                "{name} is missing or not readable; its variant for {tag} is used instead",
                name=f"{stem}.md",
                tag=next(iter(pages.by_tag)),
            ),
        )
    if main is not None and main.head is None and not main.broken:
        desk.report(Severity.ERROR, main.file.place(), say("No front matter: the first line must be three dashes"))
    return pages
