"""From the pieces of a context to its segment tree. The keys and shapes are those of Covel's naming."""

from covel_inspector.engines.covel.assembler.tree.growing import tree_of

__all__ = ["tree_of"]
