"""Countries that a query names."""

import pytest

from app.domain.language.countries import named_country


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("the population of Japan in 2020", "Japan"),
        ("weather in new zealand", "new zealand"),
        ("taxes in the US?", "US"),
        ("from Papua New Guinea to Peru", "Papua New Guinea"),
        ("the Dominican Republic's beaches", "Dominican Republic"),
        ("roast a turkey for us", ""),
        ("japanese lessons", ""),
        ("sudanese", ""),
        ("", ""),
    ],
)
def test_the_first_country_is_found_as_it_is_written(text, country):
    assert named_country(text) == country
