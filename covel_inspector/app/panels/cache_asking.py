"""Asks for the report of the Cache panel, in the panels' thread."""

from covel_inspector.analysis.cache_report import CacheReport, cache_report
from covel_inspector.analysis.provider_tables import load_tables
from covel_inspector.app.panels.panel import Watch
from covel_inspector.app.settings import settings_file
from covel_inspector.domain import Source


def read_report(source: Source, watch: Watch, *, session: str, runtime: str) -> CacheReport:
    """The report of one runtime of a session, turn by turn; stops when nobody waits any more.

    The reader's own tables of rules and prices come first, read anew each time. Raises SourceError for one that is
    wrong.
    """

    def tell(done: int, total: int) -> None:
        watch.tell(done / max(total, 1))

    return cache_report(source, session, runtime, tell, load_tables(settings_file().parent))
