"""One context from its params. Follows the reference on the assembler."""

from covel_inspector.engines.covel.assembler.assembly import Assembly
from covel_inspector.engines.covel.assembler.params import ContextParams
from covel_inspector.engines.covel.textpack import TextPack


def assemble(params: ContextParams, pack: TextPack) -> Assembly:
    """The context, and on demand its segment tree.

    Raises AssemblerError for what the engine refuses (``kind``: unsafe-tag, store-required, hidden-namespace) and
    BudgetError for limits that make no sense.
    """
    raise NotImplementedError
