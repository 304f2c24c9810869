"""The order of the steps of a plan."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet


def order_steps(
    targets: Sequence[int], added: Sequence[int], before: Mapping[int, AbstractSet[int]]
) -> list[int]:
    """Targets in their order, each directly after what has to come before it.

    `before` maps a step to the steps that it needs; it holds no circle. Several steps that one step needs come
    in the order of the targets; those that are no targets come before those that are.
    """
    place = {at: number for number, at in enumerate(targets)}
    ordered: dict[int, None] = {}

    def visit(at: int) -> None:
        for earlier in sorted(before.get(at, ()), key=lambda other: (place.get(other, -1), other)):
            if earlier not in ordered:
                visit(earlier)
        ordered[at] = None

    for at in [*targets, *added]:
        if at not in ordered:
            visit(at)
    return list(ordered)
