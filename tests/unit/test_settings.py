"""Settings from the environment."""

import pytest
from pydantic import ValidationError

from app.settings import Settings


@pytest.mark.parametrize(
    "name", ["refresh_s", "query_timeout_s", "mcp_connect_s", "lease_wait_s", "proxy_timeout_s"]
)
@pytest.mark.parametrize("value", ["inf", "nan", "1e999"])
def test_seconds_are_a_number_that_ends(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait without an end would be an error where it is first waited for."""
    monkeypatch.setenv(f"OUTFITTER_{name.upper()}", value)

    with pytest.raises(ValidationError, match=f"(?i){name}"):
        Settings()
