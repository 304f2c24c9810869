"""The layout of the graph page: columns around a focus. The same graph always looks the same."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the drawing: column 0 is that of the focus, those that lead to it are below 0; rows count from 0."""

    column: int
    row: int


def column_layout(focus: str, nodes: Mapping[str, str], flows: Iterable[tuple[str, str]]) -> dict[str, Spot]:
    """A place for each node, no two alike.

    Columns go by the number of flows from the focus: what leads to a node stands left of it, what it leads to right.
    In a column nodes stand by group, then by the mean row of their neighbours nearer to the focus, then by key.

    Args:
        focus: key of the node in the middle; it is placed even if `nodes` lacks it.
        nodes: key -> its group; those that no flow connects with the focus stand in the last column.
        flows: pairs of keys; a pair with an unknown key is passed over.
    """
    known = {focus: nodes.get(focus, "")} | dict(nodes)
    ahead: defaultdict[str, set[str]] = defaultdict(set)
    behind: defaultdict[str, set[str]] = defaultdict(set)
    for source, target in flows:
        if source in known and target in known and source != target:
            ahead[source].add(target)
            behind[target].add(source)
    column, nearer = _columns(focus, ahead, behind)
    last = max(column.values()) + 1
    for key in known:
        column.setdefault(key, last)
    members: defaultdict[int, list[str]] = defaultdict(list)
    for key in known:
        members[column[key]].append(key)
    rows: dict[str, int] = {}

    def place(key: str) -> tuple[str, float, str]:
        placed = [rows[one] for one in nearer.get(key, ()) if one in rows]
        return known[key], sum(placed) / len(placed) if placed else 0.0, key

    for at in sorted(members, key=lambda at: (abs(at), at)):
        rows.update({key: row for row, key in enumerate(sorted(members[at], key=place))})
    return {key: Spot(column[key], rows[key]) for key in sorted(known)}


def _columns(
    focus: str, ahead: Mapping[str, set[str]], behind: Mapping[str, set[str]]
) -> tuple[dict[str, int], dict[str, Sequence[str]]]:
    """Columns by the shortest way from the focus, and the neighbours that are nearer to it."""
    column, depth = {focus: 0}, {focus: 0}
    waiting = deque([focus])
    while waiting:
        key = waiting.popleft()
        # What leads to a node is looked at first: of what does both, a tool that is needed is the more telling.
        for step, others in ((-1, behind.get(key, ())), (1, ahead.get(key, ()))):
            for other in sorted(others):
                if other not in column:
                    column[other] = column[key] + step
                    depth[other] = depth[key] + 1
                    waiting.append(other)
    touching = {key: {*ahead.get(key, ()), *behind.get(key, ())} for key in column}
    return column, {
        key: [one for one in sorted(others) if depth.get(one, 0) < depth[key]]
        for key, others in touching.items()
    }
