"""For every test: Qt paints nowhere, and nothing of the user's is read or written."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import platform
import sqlite3
from pathlib import Path

import pytest


def pytest_report_header() -> str:
    """What the tests ran on."""
    from PySide6 import __version__ as pyside

    return f"PySide6 {pyside}, SQLite {sqlite3.sqlite_version}, {platform.platform()}"


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the settings of this test alone."""
    folder = tmp_path_factory.mktemp("settings")
    monkeypatch.setenv("COVEL_INSPECTOR_SETTINGS", str(folder))
    return folder
