"""A Covel checkout or home folder: manifests, bodies, static segments, worlds and slots. Reads files, runs nothing.

Nothing is followed out of the folder, nothing but regular files is opened, and each file has a limit. What cannot
be read becomes a :class:`~covel_inspector.domain.Problem`, and everything else is still read.
"""

from covel_inspector.engines.covel.checkout.reading import read_checkout

__all__ = ["read_checkout"]
