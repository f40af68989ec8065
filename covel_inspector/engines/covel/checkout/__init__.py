"""What the files of a Covel checkout or home folder declare: plugins with their texts, worlds, slots. Nothing is run.

Nothing is followed out of the folder, nothing but regular files is opened, and each file has a limit. What cannot
be read becomes a :class:`~covel_inspector.domain.Problem`, and everything else is still read.
"""

from covel_inspector.engines.covel.checkout.reading import read_checkout

__all__ = ["read_checkout"]
