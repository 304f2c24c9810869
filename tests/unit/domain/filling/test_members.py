"""What the members of an enum are called."""

import pytest

from app.domain.filling.members import named_members
from app.domain.schemas.tool_schemas import Input, inputs_of
from tests.calls import Schema, call
from tests.fillings import filled


def read(**schema: object) -> Input:
    (item,) = (
        one
        for one in inputs_of(
            call("PUT /claims/{id}", "setClaim", "Set a claim", optional={"status": dict(schema)})
        )
        if one.name == "status"
    )
    return item


@pytest.mark.parametrize(
    "description",
    [
        "Unknown = 0, Paid = 1, Refused = 2",
        "The status. values=> Unknown = 0, Paid = 1, Refused = 2",
        "0 = unknown, 1 = paid, 2 = refused",
        "0: unknown\n1: paid\n2: refused",
        "0 - unknown, 1 - paid, 2 - refused",
    ],
)
@pytest.mark.parametrize("enum", [{}, {"enum": [0, 1, 2]}])
def test_a_description_says_what_numbers_mean(description: str, enum: dict[str, object]) -> None:
    item = read(type="integer", description=description, **enum)
    assert {(name.lower(), member) for name, member in named_members(item)} == {
        ("unknown", 0),
        ("paid", 1),
        ("refused", 2),
    }


@pytest.mark.parametrize(
    "description",
    ["A number from 1 to 5", "At least 1, default = 10", "Use 24:00 for midnight, 1.5 - 2 hours"],
)
def test_numbers_that_stand_for_nothing_have_no_names(description: str) -> None:
    assert named_members(read(type="integer", description=description)) == ()


def test_members_that_are_texts_are_called_as_they_are_spelt() -> None:
    assert named_members(read(type="string", enum=["open", "closed"])) == (
        ("open", "open"),
        ("closed", "closed"),
    )


STATUS: Schema = {
    "type": "integer",
    "enum": [0, 1, 2],
    "description": "Unknown = 0, Paid = 1, Refused = 2",
}


@pytest.mark.parametrize(
    ("goal", "status"),
    [
        ("set claim 7 to refused", 2),
        ("mark claim 7 as paid", 1),
        ("refuse claim 7", 2),
        ("change claim 7", None),
    ],
)
def test_words_set_the_number_that_they_name(goal: str, status: int | None) -> None:
    tool = call("PUT /claims/{claimId}", "updateClaim", "Update a claim", optional={"status": STATUS})
    assert filled(goal, tool).get("status") == status


def test_a_value_behind_its_noun_is_the_number_that_it_names() -> None:
    tool = call("PUT /claims/{claimId}", "updateClaim", "Update a claim", optional={"status": STATUS})
    assert filled('update claim 7 with status "Refused"', tool).get("status") == 2


@pytest.mark.parametrize(
    ("description", "names"),
    [
        ("Where it runs. `fra1` Frankfurt, `ams2` Amsterdam.", {"Frankfurt": "fra1", "Amsterdam": "ams2"}),
        ("fra1 (Frankfurt) or ams2 (Amsterdam)", {"Frankfurt": "fra1", "Amsterdam": "ams2"}),
        ("fra1: Frankfurt, ams2: Amsterdam", {"Frankfurt": "fra1", "Amsterdam": "ams2"}),
        # Where few are explained, what stands behind a member is no name of it.
        ("fra1 (default) or ams2", {}),
        ("Either of fra1 and ams2.", {}),
    ],
)
def test_a_description_gives_members_a_second_name(description: str, names: dict[str, str]) -> None:
    found = named_members(read(type="string", enum=["fra1", "ams2"], description=description))
    assert dict(found) == {"fra1": "fra1", "ams2": "ams2", **names}
