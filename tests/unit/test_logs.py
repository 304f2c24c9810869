"""What a failure writes to the log."""

import logging
from collections.abc import Iterator

import pytest
import structlog

from app import logs


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
