"""The audit of advisories, against a service on loopback: a finding, none, and every way to be away."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.http_server import Asked, Handler, web_server
from tools.audit import Excepted, ExceptionsError, audit, main, read_exceptions
from tools.osv import Osv

TODAY = date(2026, 11, 22)
GHSA, PYSEC, CVE = "GHSA-aaaa-bbbb-cccc", "PYSEC-2026-1", "CVE-2026-0001"
Batch = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "requirements.lock"
    path.write_text("".join(f"{name}==1.0 --hash=sha256:{'0' * 64}\n" for name in ("first", "second")))
    return path


def results(*vulns: list[str], token: str = "") -> dict[str, Any]:
    """The answer to a batch: ids for each package."""
    pages: list[dict[str, Any]] = [
        {"vulns": [{"id": one, "modified": "2026-01-01T00:00:00Z"} for one in ids]} if ids else {}
        for ids in vulns
    ]
    if token:
        pages[0]["next_page_token"] = token
    return {"results": pages}


@contextmanager
def service(batch: Batch, details: dict[str, dict[str, Any]]) -> Iterator[str]:
    """An OSV service: answers to batches, and its advisories; 404 for others."""

    def answer(handler: Handler, asked: Asked) -> None:
        if asked.method == "POST":
            handler.reply(200, json.dumps(batch(json.loads(asked.body))).encode())
        elif (found := details.get(asked.target.rpartition("/")[2])) is not None:
            handler.reply(200, json.dumps(found).encode())
        else:
            handler.reply(404, b"{}")

    with web_server(answer) as recorded:
        yield recorded.url


def asked_of(url: str, lock: Path, *exceptions: Excepted, timeout_s: float = 10.0) -> tuple[int, str]:
    status, said = audit([lock], exceptions, Osv(url, timeout_s), TODAY)
    return status, "\n".join(said)


def test_without_an_advisory_the_lock_is_sound(lock: Path) -> None:
    """Both packages are asked for, by name, ecosystem and version."""
    asked: list[dict[str, Any]] = []

    def batch(body: dict[str, Any]) -> dict[str, Any]:
        asked.append(body)
        return results([], [])

    with service(batch, {}) as url:
        assert asked_of(url, lock) == (0, "2 packages, 0 findings")

    assert asked == [
        {
            "queries": [
                {"package": {"name": name, "ecosystem": "PyPI"}, "version": "1.0"}
                for name in ("first", "second")
            ]
        }
    ]


def test_an_advisory_is_a_finding(lock: Path) -> None:
    """Named once, though two databases have it, with package, version and summary as printable text."""
    details = {
        GHSA: {"id": GHSA, "aliases": [CVE, PYSEC], "summary": "Reads \x1b[2J files"},
        PYSEC: {"id": PYSEC, "aliases": [CVE]},
    }
    with service(lambda _: results([], [PYSEC, GHSA]), details) as url:
        status, said = asked_of(url, lock)

    assert status == 1
    assert said == f"finding: second 1.0: {GHSA} ({CVE}, {PYSEC}) Reads  [2J files\n2 packages, 1 findings"


def test_a_withdrawn_advisory_is_none(lock: Path) -> None:
    details = {GHSA: {"id": GHSA, "withdrawn": "2026-02-01T00:00:00Z"}}
    with service(lambda _: results([GHSA], []), details) as url:
        assert asked_of(url, lock) == (0, "2 packages, 0 findings")


def test_an_advisory_without_details_is_a_finding(lock: Path) -> None:
    """What is not known to be withdrawn is not withdrawn."""
    with service(lambda _: results([GHSA], []), {}) as url:
        status, said = asked_of(url, lock)

    assert (status, said.splitlines()[0]) == (1, f"finding: first 1.0: {GHSA}")


def test_all_pages_are_read(lock: Path) -> None:
    """The next one is asked for with its token, for the package that has it alone."""

    def batch(body: dict[str, Any]) -> dict[str, Any]:
        if len(body["queries"]) == 2:
            return results([], [], token="t")
        assert [one["page_token"] for one in body["queries"]] == ["t"]
        return results([GHSA])

    with service(batch, {GHSA: {"id": GHSA}}) as url:
        status, said = asked_of(url, lock)

    assert (status, said.splitlines()[0]) == (1, f"finding: first 1.0: {GHSA}")


def test_what_was_found_before_an_outage_is_a_finding(lock: Path) -> None:
    """A page that does not come takes none of those before away."""

    def batch(body: dict[str, Any]) -> dict[str, Any]:
        return results([GHSA], [], token="t") if len(body["queries"]) == 2 else {"results": "none"}

    with service(batch, {GHSA: {"id": GHSA}}) as url:
        status, said = asked_of(url, lock)

    assert status == 1
    assert said.startswith("warning: ")
    assert f"finding: first 1.0: {GHSA}" in said


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b"{}"),
        (503, b"later"),
        (429, b"{}"),
        (200, b""),
        (200, b"<html>a proxy's page</html>"),
        (200, b"[" * 100_000),
        (200, b"[]"),
        (200, b"\xff\xfe"),
        (200, b'{"results": null}'),
        (200, b'{"results": [{}]}'),
        (200, b'{"results": [{}, 1]}'),
        (200, b'{"results": [{"vulns": 1}, {}]}'),
        (200, b'{"results": [{"vulns": [{}]}, {}]}'),
    ],
)
def test_an_outage_is_a_warning(lock: Path, status: int, body: bytes) -> None:
    """No answer, or none that can be read, says nothing of the lock: the build goes on."""
    with web_server(lambda handler, _: handler.reply(status, body)) as recorded:
        found, said = asked_of(recorded.url, lock)

    assert found == 0
    assert said.startswith("warning: advisories are not known")
    assert recorded.url in said
    assert "findings" not in said


def test_a_refused_connection_is_an_outage(lock: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"

        found, said = asked_of(url, lock)

    assert (found, said.partition(":")[0]) == (0, "warning")


def test_a_service_that_hangs_is_an_outage(lock: Path) -> None:
    """After the time limit, not after the machine's own."""
    with web_server(lambda _, __: time.sleep(2)) as recorded:
        begin = time.monotonic()
        found, said = asked_of(recorded.url, lock, timeout_s=0.2)
        waited = time.monotonic() - begin

    assert (found, said.partition(":")[0]) == (0, "warning")
    assert waited < 2


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1"])
def test_other_addresses_are_not_opened(lock: Path, url: str) -> None:
    assert asked_of(url, lock) == (2, f"error: {url!r}; accepted: an http or https address")


def test_a_refused_question_is_a_mistake_of_ours(lock: Path) -> None:
    """Were it a warning, the audit would end without anybody noticing."""
    with web_server(lambda handler, _: handler.reply(400, b"{}")) as recorded:
        found, said = asked_of(recorded.url, lock)

    assert (found, said) == (2, f"error: {recorded.url}/v1/querybatch answered 400")


def test_an_exception_holds_until_its_last_day(lock: Path) -> None:
    """By any of the advisory's ids; afterwards it is a finding again, and one that nothing needs is named."""
    until, ended = Excepted(CVE, "not reached", TODAY), Excepted(CVE, "not reached", date(2026, 11, 21))
    other = Excepted("CVE-2020-1", "gone", TODAY)
    with service(lambda _: results([GHSA], []), {GHSA: {"id": GHSA, "aliases": [CVE]}}) as url:
        holds = asked_of(url, lock, until, other)
        over = asked_of(url, lock, ended)

    assert holds[0] == 0
    assert f"excepted until 2026-11-22: first 1.0: {GHSA} ({CVE}) (not reached)" in holds[1]
    assert "the exception of CVE-2020-1 is not needed any more" in holds[1]
    assert over[0] == 1
    assert "its exception ended on 2026-11-21" in over[1]


@pytest.mark.parametrize(
    "text",
    [
        "[[excepted]]\nid = 'x'\nreason = 'y'\n",
        "[[excepted]]\nid = 'x'\nuntil = 2026-12-01\n",
        "[[excepted]]\nid = 'x'\nreason = ''\nuntil = 2026-12-01\n",
        "[[excepted]]\nid = 'x'\nreason = 'y'\nuntil = 'always'\n",
        "[[excepted]]\nid = 'x'\nreason = 'y'\nuntil = 2026-12-01\nmore = 1\n",
        "excepted = 1\n",
        "x = 1\n",
        "[[",
    ],
)
def test_an_exception_without_reason_or_end_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "advisories.toml"
    file.write_text(text)

    with pytest.raises(ExceptionsError):
        read_exceptions(file)


def test_the_command_says_what_the_audit_says(
    lock: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Findings and warnings on stderr; the file of exceptions of this repository can be read."""
    broken = tmp_path / "broken.toml"
    broken.write_text("[[")
    with service(lambda _: results([GHSA], []), {GHSA: {"id": GHSA}}) as url:
        found = main([str(lock), "--url", url])
        refused = main([str(lock), "--url", url, "--exceptions", str(broken)])
    said = capsys.readouterr()

    assert (found, refused) == (1, 2)
    assert f"finding: first 1.0: {GHSA}" in said.err
    assert str(broken) in said.err
    assert said.out == ""
