"""Reading a mapping field by field: a wrong type is reported with its line, and its default is used."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from covel_inspector.domain import Sentence, Severity, say
from covel_inspector.engines.covel.checkout.files import Desk, TextFile
from covel_inspector.engines.covel.checkout.yaml_text import Trail, YamlDocument
from covel_inspector.engines.covel.javascript import number_text
from covel_inspector.engines.covel.records.manifests import FilePlace


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one mapping in a document. ``trail`` leads to it; a mapping that is missing has no fields."""

    desk: Desk
    file: TextFile
    document: YamlDocument
    values: dict[str, Any]
    trail: Trail = ()

    @classmethod
    def of(cls, desk: Desk, file: TextFile, document: YamlDocument) -> "Fields":
        """The fields of a whole document; none when it is no mapping."""
        value = document.value
        return cls(desk, file, document, value if isinstance(value, dict) else {})

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def raw(self, key: str) -> Any:
        """The value as it is; None when missing."""
        return self.values.get(key)

    def place(self, *steps: str | int) -> FilePlace:
        """Where a field stands."""
        return self.file.place(self.document.line(self.trail + steps))

    def text_place(self, *steps: str | int) -> FilePlace:
        """Where the text of a field begins."""
        return self.file.place(self.document.text_line(self.trail + steps))

    def report(self, severity: Severity, sentence: Sentence, *steps: str | int) -> None:
        """Note a problem at the line of a field."""
        if self.desk.is_full(self.file.path):
            return
        self.desk.report(severity, self.place(*steps), sentence)

    def text(self, key: str, default: str = "") -> str:
        """A text; a number is taken as its spelling (``version: 1.2``)."""
        value = self.values.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return number_text(value)
        if value is not None:
            self._wrong(key, say("a text"))
        return default

    def whole(self, key: str, default: int | None = None) -> int | None:
        """A whole number of at least 0."""
        value = self.values.get(key)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        if value is not None:
            self._wrong(key, say("a whole number of at least 0"))
        return default

    def number(self, key: str) -> float | None:
        """A number of any kind."""
        value = self.values.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        if value is not None:
            self._wrong(key, say("a number"))
        return None

    def flag(self, key: str) -> bool:
        """True only when the field is exactly true."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, bool):
            self._wrong(key, say("true or false"))
        return value is True

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        value = self.values.get(key)
        if isinstance(value, str):
            return (value,)
        if value is not None and not isinstance(value, list):
            self._wrong(key, say("a list of texts"))
            return ()
        items = value or []
        if not all(isinstance(item, str) for item in items):
            self._wrong(key, say("a list of texts"))
        return tuple(item for item in items if isinstance(item, str))

    def section(self, key: str) -> "Fields":
        """A mapping below; one without fields when it is missing."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, dict):
            self._wrong(key, say("a mapping of fields"))
        return Fields(self.desk, self.file, self.document, value if isinstance(value, dict) else {}, (*self.trail, key))

    def entries(self, key: str) -> Iterator["Fields"]:
        """The mappings of a list; entries that are none are reported and left out."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, list):
            self._wrong(key, say("a list"))
            return
        for index, item in enumerate(value or []):
            if isinstance(item, dict):
                yield Fields(self.desk, self.file, self.document, item, (*self.trail, key, index))
            else:
                self.report(
                    Severity.WARNING, say("An entry of '{field}' must be a mapping of fields", field=key), key, index
                )

    def named(self, key: str) -> Iterator[tuple[str, "Fields"]]:
        """The mappings of a mapping, by name."""
        section = self.section(key)
        for name, value in section.values.items():
            if isinstance(value, dict):
                yield name, Fields(self.desk, self.file, self.document, value, (*section.trail, name))
            else:
                section.report(
                    Severity.WARNING, say("An entry of '{field}' must be a mapping of fields", field=key), name
                )

    def _wrong(self, key: str, expected: Sentence) -> None:
        self.report(Severity.WARNING, say("'{field}' must be {expected}", field=key, expected=expected), key)
