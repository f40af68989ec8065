"""From one turn to the next: how long until the new rows are painted. Run by hand, from the project's folder.

Steps through all turns of a sample story, twice, and prints for each part of a step the median and the slowest. The
first round fills the caches of the source; the second is what stepping back and forth feels like.
"""

import os
import statistics
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from covel_inspector.app.compare.rows import walk
from covel_inspector.app.compare.view import CompareView
from covel_inspector.app.picking import Lists, first_call, main_runtime
from covel_inspector.app.preparing import Counts, Question, prepare
from covel_inspector.app.state import Mode, Spot
from covel_inspector.app.targets import Target
from covel_inspector.app.theme import Theme
from covel_inspector.app.wording import Wording
from covel_inspector.engines.covel.source import open_covel

DATA = Path(__file__).parent.parent / "data"


def main(name: str = "emberwatch") -> None:
    """Print the figures for one sample database."""
    application = QApplication([])
    theme = Theme(application, "light")
    theme.apply()
    view = CompareView(Wording("en"))
    view.apply_theme(theme.colours)
    view.resize(1040, 800)
    view.show()
    source = open_covel(str(DATA / f"{name}.db"), str(DATA / "sample-root"))
    session = max(source.sessions(), key=lambda one: one.call_count)
    lists = Lists.of(session, source.turns(session.id), source.calls(session.id))
    runtime = main_runtime(lists)
    counts = Counts()
    print(f"{name}, {len(lists.turns)} turns, runtime {runtime}; milliseconds of this process: median / slowest")
    for mode in Mode:
        view.set_mode(mode)
        for round_number in (1, 2):
            steps = []
            rows = 0
            for turn in lists.turns:
                call = first_call(lists, turn.number, runtime)
                if call is None:
                    continue
                question = Question(Spot(session.id, turn.number, call.address), lists, Target())
                began = time.process_time()
                prepared = prepare(source, question, counts, lambda: False)
                ready = time.process_time()
                view.show_sides(prepared)
                filled = time.process_time()
                application.processEvents()
                painted = time.process_time()
                steps.append((ready - began, filled - ready, painted - filled, painted - began))
                rows = max(rows, len(walk(view.tree.pairs.rows)))
            parts = " · ".join(
                f"{part} {statistics.median(times) * 1000:.1f} / {max(times) * 1000:.1f}"
                for part, times in zip(
                    ("prepare", "fill", "paint", "whole step"), zip(*steps, strict=True), strict=True
                )
            )
            print(f"  {mode.value:9} round {round_number}, up to {rows} rows: {parts}")
    source.close()
    view.panes.close_workers()


if __name__ == "__main__":
    main(*sys.argv[1:2])
