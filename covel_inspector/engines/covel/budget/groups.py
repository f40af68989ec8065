"""Complete groups of tool calls in a message list. Follows the reference on the runtime, section 6."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.records.calls import KernelMessage


@dataclass(frozen=True, slots=True)
class ToolGroup:
    """An assistant message with calls and all its results: messages ``start`` up to ``end`` of the list.

    ``identity`` holds call ids, names, arguments and result contents; ``unique`` is False when another group of the
    same list has the same one.
    """

    start: int
    end: int
    identity: str
    unique: bool = True


def find_groups(messages: Sequence[KernelMessage]) -> list[ToolGroup]:
    """The complete groups, in order. Anything irregular is no group and stays as it is."""
    found: list[ToolGroup] = []
    index = 0
    while index < len(messages):
        end = _group_end(messages, index)
        if end > index:
            found.append(ToolGroup(index, end, _identity(messages[index:end])))
            index = end
        else:
            index += 1
    counts = Counter(group.identity for group in found)
    return [
        group if counts[group.identity] == 1 else ToolGroup(group.start, group.end, group.identity, unique=False)
        for group in found
    ]


def _group_end(messages: Sequence[KernelMessage], start: int) -> int:
    """Behind the group that begins at ``start``; ``start`` itself when none does."""
    calls = messages[start].tool_calls
    if messages[start].role != "assistant" or not calls:
        return start
    end = start + 1
    while end < len(messages) and messages[end].role == "tool":
        end += 1
    ids = [call.get("id") for call in calls]
    answered = [message.tool_call_id for message in messages[start + 1 : end]]
    regular = ids == answered and len(set(map(str, ids))) == len(ids) and None not in ids
    return end if regular else start


def _identity(group: Sequence[KernelMessage]) -> str:
    calls = group[0].tool_calls or ()
    return stringify(
        [
            [call.get("id"), call.get("name"), call.get("arguments"), result.content]
            for call, result in zip(calls, group[1:], strict=True)
        ]
    )
