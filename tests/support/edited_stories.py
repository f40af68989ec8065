"""Copies of the English sample story and its folder, changed for a test."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parent.parent / "data"
NARRATOR = "plugins/tide-narrator/PLUGIN.md"


class EditedStory:
    """A copy of tidewater and its folder in ``folder``; changes are made before it is opened."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "story.db"
        self.root = folder / "root"
        shutil.copyfile(DATA / "tidewater.db", self.database)
        shutil.copytree(DATA / "sample-root", self.root)

    def replace_in_file(self, name: str, old: str, new: str) -> "EditedStory":
        """Change a text that stands in a file exactly once."""
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return self

    def execute(self, statement: str, *values: object) -> "EditedStory":
        """Change rows."""
        connection = sqlite3.connect(self.database)
        with connection:
            connection.execute(statement, values)
        connection.close()
        return self

    def change_call(self, row: str, change: Callable[[dict[str, Any]], None]) -> "EditedStory":
        """Change the payload of a recorded call."""
        connection = sqlite3.connect(self.database)
        with connection:
            (text,) = connection.execute("SELECT payload FROM trace_events WHERE id = ?", (row,)).fetchone()
            payload = json.loads(text)
            change(payload)
            connection.execute(
                "UPDATE trace_events SET payload = ? WHERE id = ?", (json.dumps(payload, ensure_ascii=False), row)
            )
        connection.close()
        return self

    def open(self, *, with_files: bool = True) -> CovelSource:
        """The story as a source."""
        return open_covel(str(self.database), str(self.root) if with_files else None)
