"""covel.db, read only: how it is opened, which schema it has, and its rows as values. The only SQL for Covel.

:func:`open_database` is the door; :class:`CovelDatabase` has the reads.
"""

from covel_inspector.engines.covel.database.generation import Generation
from covel_inspector.engines.covel.database.opening import Access, OpenedFile, Way, open_readonly
from covel_inspector.engines.covel.database.places import default_candidates
from covel_inspector.engines.covel.database.reading import CovelDatabase, open_database

__all__ = [
    "Access",
    "CovelDatabase",
    "Generation",
    "OpenedFile",
    "Way",
    "default_candidates",
    "open_database",
    "open_readonly",
]
