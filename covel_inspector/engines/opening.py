"""Opens a location with the engine that knows it. The only place above the engines that names one."""

from covel_inspector.domain import Source


def open_source(location: str, covel_root: str | None = None, texts: str | None = None) -> Source:
    """A source for a location (today: the path of a Covel database). Raises SourceError with one clear sentence.

    ``covel_root`` is a Covel checkout or home folder to read bodies, static segments, worlds and slots from;
    ``texts`` a text pack whose sentences replace the ones learned from recordings.
    """
    from covel_inspector.engines.covel.source import open_covel

    return open_covel(location, covel_root, texts)
