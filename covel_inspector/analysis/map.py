"""The request map: a request as a band of blocks, as long as it has tokens, with its cache boundaries."""

from dataclasses import dataclass

from covel_inspector.analysis.token_table import TokenTable
from covel_inspector.domain import Group, Kind, Place, Segment, SegmentTree, Sentence


@dataclass(frozen=True, slots=True)
class MapBlock:
    """One block: a child of a group, from token ``start_token`` on, ``tokens`` long.

    ``place`` is the first place of its text, for going there; None when it has no text.
    """

    key: str
    group: Group
    kind: Kind
    title: Sentence
    start_token: int
    tokens: int
    place: Place | None
    segment: Segment

    @property
    def end_token(self) -> int:
        """Where the next block begins."""
        return self.start_token + self.tokens


def blocks(tree: SegmentTree, table: TokenTable) -> tuple[MapBlock, ...]:
    """The blocks of all groups in wire order, without gaps; those without a token are left out."""
    found: list[MapBlock] = []
    position = 0
    for group in tree.groups:
        for segment in group.children or (group,):
            tokens = table.of(segment)
            if tokens:
                place = next((leaf.place for leaf in segment.leaves()), None)
                found.append(
                    MapBlock(
                        segment.key, Group(group.key), segment.kind, segment.title, position, tokens, place, segment
                    )
                )
            position += tokens
    return tuple(found)


def boundary_tokens(tree: SegmentTree, table: TokenTable) -> tuple[int, ...]:
    """Tokens in front of each of the tree's boundaries, in their order."""
    return tuple(table.before(boundary.place) for boundary in tree.boundaries)
