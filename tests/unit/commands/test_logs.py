"""What a failure writes to the log."""

import logging
from collections.abc import Iterator

import pytest
import structlog

from app import logs
from app.domain.language.visible_text import HIDDEN, has_hidden


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Logging is the process's own; other tests find it as it was."""
    root = logging.getLogger()
    kept = (root.handlers[:], root.level)
    yield
    root.handlers[:], level = kept
    root.setLevel(level)
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_shows_no_local_variables(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They hold what people ask, and what servers are given in confidence."""
    logs.configure(level="info", form=form)
    try:
        _fail("a-very-secret-token"[::-1])
    except ValueError:
        logging.getLogger("app.test").exception("failed")

    said = capsys.readouterr().err
    assert "of 19 characters" in said
    assert "_fail" in said
    assert "a-very-secret-token"[::-1] not in said


def _fail(token: str) -> None:
    raise ValueError(f"of {len(token)} characters")


@pytest.mark.parametrize("form", ["json", "console"])
def test_what_is_logged_steers_no_terminal(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Servers and documents are quoted in messages, in their fields and in tracebacks."""
    hostile = "".join(chr(first) for first, _, _ in HIDDEN)
    logs.configure(level="info", form=form)
    log = logging.getLogger("app.test")

    log.warning("problem of %s", hostile, extra={"problem": hostile, "list": [hostile], hostile: 1})
    try:
        raise ValueError(hostile)  # noqa: TRY301
    except ValueError:
        log.exception("failed")

    said = capsys.readouterr().err
    assert len(said.splitlines()) >= 2
    assert not has_hidden(said)
    assert "\\u{80}" in said or "\\u0080" in said
