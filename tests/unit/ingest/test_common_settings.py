"""What the settings leave out of the common taxonomy."""

import pytest

from app.errors import InvalidInputError
from app.settings import Settings
from ingest.wiring import common_of


def test_it_is_in_use_unless_a_setting_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests of other things switch it off."""
    monkeypatch.delenv("OUTFITTER_COMMON_TAXONOMY")
    common = common_of(Settings())
    assert common is not None
    assert common.without == ()

    monkeypatch.setenv("OUTFITTER_COMMON_WITHOUT", '["weather", "manifest:shop"]')
    common = common_of(Settings())
    assert common is not None
    assert not common.accepts("shop")

    monkeypatch.setenv("OUTFITTER_COMMON_TAXONOMY", "false")
    assert common_of(Settings()) is None


def test_a_wrong_domain_names_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTFITTER_COMMON_TAXONOMY", "true")
    monkeypatch.setenv("OUTFITTER_COMMON_WITHOUT", '["wether"]')

    with pytest.raises(
        InvalidInputError, match="OUTFITTER_COMMON_WITHOUT: the common taxonomy has no domain 'wether'"
    ):
        common_of(Settings())
