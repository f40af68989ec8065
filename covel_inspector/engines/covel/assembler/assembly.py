"""What the assembler gives back."""

from dataclasses import dataclass
from functools import cached_property

from covel_inspector.domain import SegmentTree
from covel_inspector.engines.covel.assembler.conversation import Conversation
from covel_inspector.engines.covel.assembler.extensions import Landing
from covel_inspector.engines.covel.assembler.params import ContextParams
from covel_inspector.engines.covel.assembler.pieces import PlacedMessage, Section
from covel_inspector.engines.covel.budget.pruning import Pruned
from covel_inspector.engines.covel.records.calls import KernelMessage


@dataclass(frozen=True, slots=True)
class BudgetOutcome:
    """What pruning at assembly did. Tokens by the estimator of the params."""

    total_tokens: int
    over_budget: bool


@dataclass(frozen=True, slots=True)
class AssembledContext:
    """The context as the engine hands it on. Follows the reference on the assembler, section 3.

    ``system_prompt`` holds the cache sentinels. ``pruned_message_count`` and ``budget`` are None when no budget ran.
    """

    system_prompt: str
    framework_head: str
    messages: tuple[KernelMessage, ...]
    turn_context: str
    current_turn_user_messages: int
    pruned_message_count: int | None = None
    budget: BudgetOutcome | None = None


@dataclass(frozen=True, slots=True)
class Composition:
    """The pieces behind a context, for whoever tells where a text comes from.

    ``sections`` are all sections of the system prompt, empty ones included. ``conversation`` is the list before the
    budget, ``placed`` the list after it. ``pruned`` is None when no budget ran.
    """

    params: ContextParams
    landing: Landing
    sections: tuple[Section, ...]
    conversation: Conversation
    placed: tuple[PlacedMessage, ...]
    pruned: Pruned | None = None
    turn_data: str = ""


class Assembly:
    """A context with the pieces behind it; its segment tree is built when first asked for."""

    def __init__(self, context: AssembledContext, composition: Composition) -> None:
        self.context = context
        self.composition = composition

    @cached_property
    def tree(self) -> SegmentTree:
        """The segment tree of the request (system prompt as message 0, then the messages)."""
        from covel_inspector.engines.covel.assembler.tree import tree_of

        return tree_of(self.context, self.composition)
