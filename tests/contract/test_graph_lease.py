"""One writer at a time, and what a killed one leaves."""

import socket
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.adapters.graph.lease import lease_owner, owner_is_dead
from app.adapters.graph.store import GraphStore
from app.errors import LeaseHeldError, LeaseLostError, NotReadyError
from tests.contract.conftest import LEASE_TTL_S, Contract
from tests.contract.rows import TOOL, node
from tests.fakes import InMemoryGraph

ROOT = Path(__file__).resolve().parents[2]


def test_a_second_writer_waits_for_the_first(graph: InMemoryGraph | GraphStore) -> None:
    """The lease goes to the next one when it is given back."""
    order: list[str] = []
    first_has_it = threading.Event()

    def first() -> None:
        with graph.lease(owner=lease_owner(), wait_s=60):
            first_has_it.set()
            time.sleep(0.4)
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    assert first_has_it.wait(60)
    with graph.lease(owner=lease_owner(), wait_s=60):
        order.append("second")
    thread.join()

    assert order == ["first", "second"]


def test_waiting_has_an_end_and_says_who_writes(graph: InMemoryGraph | GraphStore) -> None:
    """A writer that works longer than its lease lasts keeps it; the other is told its name."""
    with graph.lease(owner="elsewhere:1:abcd", wait_s=1):
        time.sleep(1.2 * LEASE_TTL_S)
        with pytest.raises(LeaseHeldError, match="elsewhere:1:abcd"), graph.lease(owner="b:1:x", wait_s=0.3):
            pytest.fail("two writers")


def test_the_graph_says_who_writes_and_since_when_it_stands(contract: Contract) -> None:
    """Whoever holds the lease, until it is given back or runs out; and when the last generation came."""
    graph = contract.graph
    before = graph.status()
    with graph.lease(owner="elsewhere:1:abcd", wait_s=60) as lease:
        lease.begin()
        held = graph.status()
        lease.finish()
    given_back = graph.status()
    contract.leave_lease("elsewhere:2:abcd", 0.3)
    time.sleep(0.5)
    ran_out = graph.status()

    assert (before.generation, before.generation_at, before.lease_owner) == (0, "", "")
    assert (held.lease_owner, held.writing) == ("elsewhere:1:abcd", True)
    assert 0 < held.lease_left_s <= LEASE_TTL_S
    assert (given_back.generation, given_back.lease_owner, given_back.writing) == (1, "", False)
    age = datetime.now(UTC) - datetime.fromisoformat(given_back.generation_at)
    assert timedelta(0) <= age < timedelta(minutes=5)
    assert ran_out.lease_owner == ""


def test_a_lease_that_ran_out_is_taken(contract: Contract) -> None:
    """A writer on another host that hangs or was killed keeps others away for the lease's time only."""
    started = time.monotonic()
    contract.leave_lease("elsewhere:1:abcd", 1.5)

    with contract.graph.lease(owner="b:1:x", wait_s=60) as lease:
        waited = time.monotonic() - started
        assert lease.finish() == 1

    assert waited >= 1.4


def test_a_dead_owner_on_this_host_is_taken_over_at_once(contract: Contract) -> None:
    """A killed ingest can be run again without waiting."""
    contract.leave_lease(owner_of_a_process(), 600)

    with contract.graph.lease(owner=lease_owner(), wait_s=0) as lease:
        assert lease.finish() == 1


def test_a_living_owner_on_this_host_is_not_taken_over(contract: Contract) -> None:
    """Only a process that has ended loses its lease before its time."""
    contract.leave_lease(lease_owner(), 600)

    with pytest.raises(LeaseHeldError), contract.graph.lease(owner=lease_owner(), wait_s=0.3):
        pytest.fail("two writers")


def test_an_owner_whose_processes_are_not_seen_here_is_not_taken_over(contract: Contract) -> None:
    """A container or a copy of this machine may have its name; its process ids say nothing here."""
    home, pid, writer = owner_of_a_process().split(":")
    host, _, place = home.partition("@")
    assert (host, len(place)) == (socket.gethostname().replace(":", "-"), 12)

    for elsewhere in (f"{host}@{'0' * 12}", host):
        contract.leave_lease(f"{elsewhere}:{pid}:{writer}", 600)
        with pytest.raises(LeaseHeldError), contract.graph.lease(owner=lease_owner(), wait_s=0):
            pytest.fail("two writers")


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces of process ids")
def test_a_process_in_a_container_has_a_place_of_its_own() -> None:
    """Where this user may make a namespace; the first process in it has the id 1, which lives here, too."""
    owner = owner_of_a_process("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc")
    if not owner:
        pytest.skip("this user may make no namespaces")

    assert owner.split(":")[0] != lease_owner().split(":")[0]
    assert not owner_is_dead(owner)


def owner_of_a_process(*prefix: str) -> str:
    """The name that a process gave itself that has ended; empty where it did not start."""
    code = "from app.adapters.graph.lease import lease_owner; print(lease_owner())"
    try:
        process = subprocess.run(
            [*prefix, sys.executable, "-c", code],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except FileNotFoundError:
        return ""
    return process.stdout.strip()


def test_a_writer_that_lost_its_lease_writes_nothing_more(contract: Contract) -> None:
    """Fencing: what a writer sends after another took over is refused as a whole."""
    graph = contract.graph
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node("before")])
        contract.leave_lease("elsewhere:1:abcd", 600)

        for _ in range(2):
            with pytest.raises(LeaseLostError, match="a:1:x"):
                lease.put_nodes(TOOL, [node("after")])

    assert [name.id for name in graph.node_names(TOOL)] == ["before"]
    with pytest.raises(LeaseHeldError, match="elsewhere"), graph.lease(owner="b:1:x", wait_s=0):
        pytest.fail("the late writer gave away a lease that was not its own")


def test_a_killed_ingest_is_finished_by_the_next(contract: Contract) -> None:
    """The mark stays until a writer finishes; until then only who asks for it reads what is there."""
    graph = contract.graph
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.begin()
        lease.put_nodes(TOOL, [node("half")])
        with pytest.raises(NotReadyError):
            graph.catalogue(accept_unfinished=True)

    with pytest.raises(NotReadyError):
        graph.catalogue()
    left = graph.catalogue(accept_unfinished=True)
    with graph.lease(owner="b:1:x", wait_s=1) as lease:
        lease.begin()
        lease.finish()

    assert (left.generation, [tool.id for tool in left.tools]) == (0, ["half"])
    assert (graph.catalogue().generation, graph.state().writing) == (1, False)
