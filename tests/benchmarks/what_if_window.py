"""From a turned slider to the painted answer: how long "what if" takes. Run by hand, from the project's folder.

Turns the window of one call from half as much again as it needs down to a third, as a drag does, and prints the median
and the slowest of each part: preparing both sides, filling the view and the Budget panel, painting. Once on a call of
the sample, once on the same story with rows so long that the request has some hundred kB. The peer is
``json.loads(json.dumps(...))`` of the request's texts in the same run.
"""

import json
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.panels.budget import BudgetPanel
from covel_inspector.app.picking import Lists
from covel_inspector.app.preparing import Counts, Question
from covel_inspector.app.preparing_what_if import prepare_what_if
from covel_inspector.app.settings import Settings
from covel_inspector.app.start import build_window
from covel_inspector.app.state import Spot
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.window import MainWindow
from covel_inspector.domain import Changes
from covel_inspector.engines.covel.source import open_covel

DATA = Path(__file__).parent.parent / "data"
ROOT = str(DATA / "sample-root")
TURNS = 40
RESERVE = 500


def main(name: str = "tidewater", address: str = "fdec:6:tide-narrator:0") -> None:
    """Print the figures for one call, as it is and made long."""
    application = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        long = Path(folder) / f"{name}.db"
        shutil.copy(DATA / f"{name}.db", long)
        _make_long(long, open_covel(str(DATA / f"{name}.db"), ROOT).resolve(address).session)
        for location in (DATA / f"{name}.db", long):
            _measure(application, str(location), address)


def _make_long(file: Path, session: str, length: int = 420_000) -> None:
    """Repeat the texts of the session's rows until they have ``length`` bytes; the request has some of them."""
    with sqlite3.connect(file) as database:
        rows = database.execute(
            "select id, content from turn_messages where session_id = ? and content is not null", (session,)
        ).fetchall()
        times = max(1, length // max(1, sum(len(content.encode()) for _, content in rows)))
        database.executemany(
            "update turn_messages set content = ? where id = ?",
            [("\n".join([content] * times), identifier) for identifier, content in rows],
        )
    database.close()


def _measure(application: QApplication, location: str, address: str) -> None:
    window = build_window(application, Settings(language="en", theme="light"), open_covel)
    window.resize(1280, 800)
    window.show()
    window.bottom.show_panel("budget")
    source = open_covel(location, ROOT)
    there = source.resolve(address)
    session = next(one for one in source.sessions() if one.id == there.session)
    lists = Lists.of(session, source.turns(session.id), source.calls(session.id))
    window.inspector.state.put_lists(lists)
    window.inspector.state.go(Spot(session.id, there.turn, there))
    counts = Counts()
    before = source.budget(there)
    tree = source.rebuilt(there, Changes(window=10_000_000))
    if before is None or tree is None:
        raise SystemExit(f"{address} cannot be rebuilt")
    texts = [part.text for part in tree.request.parts]
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    peer = _peer(texts)
    times = []
    for step in range(TURNS):
        limit = round(before.before * (1.5 - 1.2 * step / TURNS))
        changes = Changes(window=limit + RESERVE, reserve=RESERVE)
        question = Question(Spot(session.id, there.turn, there), lists, Target(TargetKind.WHAT_IF), changes)
        began = time.process_time()
        prepared = prepare_what_if(source, question, counts, lambda: False)
        ready = time.process_time()
        _show(window, prepared, window.inspector)
        filled = time.process_time()
        application.processEvents()
        painted = time.process_time()
        times.append((ready - began, filled - ready, painted - filled, painted - began))
    parts = " · ".join(
        f"{part} {statistics.median(values) * 1000:.1f} / {max(values) * 1000:.1f}"
        for part, values in zip(
            ("prepare", "fill", "paint", "slider to painted"), zip(*times, strict=True), strict=True
        )
    )
    whole = statistics.median(values[3] for values in times)
    print(
        f"{Path(location).name} {address}, {size // 1000} kB untrimmed, milliseconds of this process: median / slowest"
    )
    print(f"  {parts}")
    print(f"  {whole / peer:.0f} × json.loads(json.dumps(texts)), which takes {peer * 1000:.2f} ms")
    source.close()
    window.close()


def _show(window: MainWindow, prepared: object, inspector: Inspector) -> None:
    inspector._asking.latest = prepared
    window.compare.show_sides(prepared)
    window.why.refresh()
    panel = window.bottom.panel
    if not isinstance(panel, BudgetPanel):
        raise TypeError("the Budget panel is not the one that is shown")
    panel.show_place()


def _peer(texts: list[str]) -> float:
    values = []
    for _ in range(9):
        began = time.process_time()
        json.loads(json.dumps(texts))
        values.append(time.process_time() - began)
    return statistics.median(values)


if __name__ == "__main__":
    main(*sys.argv[1:3])
