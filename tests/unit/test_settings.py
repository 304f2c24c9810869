"""Settings from the environment."""

import pytest
from pydantic import ValidationError

from app.domain.ranking.field_vectors import FieldWeights
from app.roots.encoders import field_weights
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


def test_weights_of_fields_are_a_json_list_that_another_process_reads_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OUTFITTER_VECTOR_WEIGHTS", "[0.2, 0.3, 0, 0.5]")
    settings = Settings()

    assert field_weights(settings) == FieldWeights(0.2, 0.3, 0, 0.5)
    monkeypatch.setenv("OUTFITTER_VECTOR_WEIGHTS", settings.for_child({})["OUTFITTER_VECTOR_WEIGHTS"])
    assert Settings().vector_weights == settings.vector_weights

    monkeypatch.delenv("OUTFITTER_VECTOR_WEIGHTS")
    assert field_weights(Settings()) is None
