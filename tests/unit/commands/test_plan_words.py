"""Options of plans: what they accept, and what they say of anything else."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from app.commands.plan_words import read_request, read_select, read_tasks
from app.domain.workflows.plans import Select, Sort, Where
from app.errors import OutfitterError
from app.usecases.questions import Filters

ACCEPTED = "accepted: first, last, each, ask, FIELD=VALUE, or a JSON object with by, where, except and sort"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, Select(by="first")),
        *((by, Select.model_validate({"by": by})) for by in ("first", "last", "each", "ask")),
        ("status=open", Select(by="match", field="status", value="open")),
        ("n=1=2", Select(by="match", field="n", value="1=2")),
        ("open=true", Select(by="match", field="open", value=True)),
        (
            '{"by": "each", "where": [{"field": "n", "op": "gt", "value": 1}], "except": ["a"], "sort": {"field": "n"}}',
            Select(
                by="each",
                where=(Where(field="n", op="gt", value=1),),
                except_=("a",),
                sort=Sort(field="n"),
            ),
        ),
    ],
)
def test_a_selection_is_a_word_a_field_or_json(text: str | None, expected: Select) -> None:
    assert read_select("/items/*/id", text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("some", "'some'; "),
        ("=x", "'=x'; "),
        ("", "''; "),
        ('{"by": "each"', "is no JSON; "),
        ('{"by": "some"}', 'by = "some": Input should be'),
        ('{"by": "each", "colour": 1}', "colour = 1: there is no such field; "),
        ('{"by": "each", "where": [{"field": "a", "op": "like", "value": 1}]}', 'where.0.op = "like": '),
    ],
)
def test_any_other_selection_is_refused_with_what_is_accepted(text: str, said: str) -> None:
    with pytest.raises(typer.BadParameter) as refused:
        read_select("/items/*/id", text)

    assert said in refused.value.message
    assert ACCEPTED in refused.value.message
    assert refused.value.param_hint == "--select"


def test_without_a_list_there_is_nothing_to_choose_from() -> None:
    assert read_select("/id", None) is None
    with pytest.raises(typer.BadParameter, match="crosses no list"):
        read_select("/id", "each")


def test_tasks_are_texts_or_json_from_a_file_and_from_words(tmp_path: Path) -> None:
    """Those of the file come first."""
    file = tmp_path / "tasks.json"
    file.write_text(json.dumps(["look", {"do": "close", "after": [1]}]))

    assert read_tasks(file, ["tell", '{"do": "go", "values": {"n": 1}}']) == [
        {"do": "look"},
        {"do": "close", "after": [1]},
        {"do": "tell"},
        {"do": "go", "values": {"n": 1}},
    ]
    assert read_tasks(None, []) == []


def test_a_file_without_a_list_of_tasks_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    file.write_text('{"do": "look"}')
    with pytest.raises(typer.BadParameter, match="accepted: a JSON list of tasks"):
        read_tasks(file, [])
    file.write_text("[")
    with pytest.raises(OutfitterError, match=r"tasks\.json"):
        read_tasks(file, [])
    with pytest.raises(OutfitterError, match="cannot be read"):
        read_tasks(tmp_path / "nope.json", [])
    with pytest.raises(typer.BadParameter, match="is no JSON; accepted: a text, or a JSON object"):
        read_tasks(None, ['{"do": '])


@pytest.mark.parametrize(
    ("words", "option", "said"),
    [
        ({"tasks": [{"do": "a", "colour": 1}]}, "--task, --tasks", "tasks.0.colour = 1: there is no such field; "),
        ({"tasks": [5]}, "--task, --tasks", "tasks.0 = 5: "),
        ({"now": "soon"}, "--now", "now = \"soon\": 'soon' is no time; accepted: ISO 8601"),
        ({"timezone": "Mars/X"}, "--timezone", "accepted: an IANA name"),
        ({"secret": ["b"], "known": {"a": 1}}, "--secret", "'b' is no name in `known`; accepted: a"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_of_its_option(words: dict[str, Any], option: str, said: str) -> None:
    with pytest.raises(typer.BadParameter) as refused:
        read_request("g", filters=Filters(), max_steps=5, **words)

    assert refused.value.param_hint == option
    assert said in refused.value.message
