"""What the assembler gives back."""

from dataclasses import dataclass

from covel_inspector.domain import SegmentTree
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


class AssemblerError(ValueError):
    """Something the engine refuses to build. ``kind`` is its name, ``detail`` what it is about."""

    def __init__(self, kind: str, detail: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.detail = detail


class Assembly:
    """A context with its segment tree, which is built when first asked for."""

    def __init__(self, context: AssembledContext) -> None:
        self.context = context

    @property
    def tree(self) -> SegmentTree:
        """The segment tree of the request (system prompt as message 0, then the messages)."""
        raise NotImplementedError
