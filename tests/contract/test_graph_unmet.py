"""Requests that nothing met, as a graph keeps them."""

from app.adapters.graph.store import GraphStore
from app.domain.unmet.entries import UnmetEntry, UnmetKind
from tests.fakes import InMemoryGraph


def _entry(
    number: int, *, count: int = 1, day: int = 1, near: tuple[str, ...] = ("a/x", "a/y")
) -> UnmetEntry:
    return UnmetEntry(
        id=f"{number:032x}",
        kind=UnmetKind.TASK if number % 2 else UnmetKind.REQUEST,
        text=f'it\'s "request" {number}' if near else "",
        near=near,
        count=count,
        first_at=f"2026-03-{day:02}T00:00:00Z",
        last_at=f"2026-03-{day:02}T12:00:00Z",
    )


def test_entries_are_read_as_they_were_written_the_latest_first(graph: InMemoryGraph | GraphStore) -> None:
    """Those of one second by id; the generation stays what it was."""
    entries = [_entry(1), _entry(2, day=3, near=()), _entry(3)]
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_unmet(entries)

    assert graph.unmet(10) == [entries[1], entries[0], entries[2]]
    assert graph.unmet(1) == [entries[1]]
    state = graph.state()
    assert (state.generation, state.writing) == (0, False)


def test_what_is_asked_for_again_is_added_up(graph: InMemoryGraph | GraphStore) -> None:
    """The first time stays, the last one and the near tools are those of now."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_unmet([_entry(1, count=2)])
        lease.put_unmet([_entry(1, count=3, day=5, near=("b/z",))])

    (found,) = graph.unmet(10)
    assert (found.count, found.first_at, found.last_at, found.near) == (
        *(5, "2026-03-01T00:00:00Z", "2026-03-05T12:00:00Z"),
        ("b/z",),
    )


def test_entries_go_by_id_by_age_and_by_number(graph: InMemoryGraph | GraphStore) -> None:
    """Those that were asked for longest ago first; unknown ids are left out."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_unmet([_entry(number, day=number) for number in range(1, 8)])
        lease.remove_unmet([_entry(7).id, "0" * 32])
        by_id = [int(one.id, 16) for one in graph.unmet(10)]
        lease.trim_unmet(before="2026-03-03T00:00:00Z", most=10)
        by_age = [int(one.id, 16) for one in graph.unmet(10)]
        lease.trim_unmet(before="", most=2)

    assert by_id == [6, 5, 4, 3, 2, 1]
    assert by_age == [6, 5, 4, 3]
    assert [int(one.id, 16) for one in graph.unmet(10)] == [6, 5]
