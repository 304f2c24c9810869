"""Requests for tools of the public catalogues: whom they are for, and which of them are asked."""

import json
from pathlib import Path

import pytest

from app.errors import InvalidInputError
from bench.measure.excluded import excluded, named_vendors
from bench.sets.catalogue_requests import catalogue_requests, is_held_out, written_for_tools


def write_catalogues(data: Path, names: dict[str, list[str]]) -> None:
    """The catalogues, with these tools of these servers."""
    (data / "catalogues" / "openapi_operations").mkdir(parents=True)
    (data / "catalogues" / "toucan").mkdir()
    (data / "catalogues" / "openapi_operations" / "operations.jsonl").write_text("")
    rows = [
        {"server": server, "name": name, "description": f"Does {name}.", "parameters": {}}
        for server, some in names.items()
        for name in some
    ]
    text = "\n".join(json.dumps(row) for row in rows)
    (data / "catalogues" / "toucan" / "tools.jsonl").write_text(text)


def test_held_out_servers_are_asked_about_beside_tools_of_all(tmp_path: Path) -> None:
    """Requests of the other servers may train an encoder; their tools are there to be mistaken for the right ones."""
    tools: dict[str, list[str]] = {}
    for server, names, _ in written_for_tools():
        if len(names) == 1:
            tools.setdefault(server, []).append(names[0])
    held_out, other = (next(one for one in tools if is_held_out(one) is wanted) for wanted in (True, False))
    write_catalogues(tmp_path, {held_out: tools[held_out], other: tools[other]})

    found = catalogue_requests(tmp_path)

    assert {tool.server for tool in found.catalogue.tools} == {held_out, other}
    assert {gold.rsplit("/", 1)[0] for question in found.questions for gold in question.gold} == {held_out}
    assert {question.group for question in found.questions} <= {"one", "several"}
    assert len(found.questions) >= 3 * len(tools[held_out])


def test_requests_for_tools_that_the_catalogues_lack_are_not_asked(tmp_path: Path) -> None:
    write_catalogues(tmp_path, {"somebody": ["do_this"]})

    assert catalogue_requests(tmp_path).questions == ()


def test_without_the_catalogues_it_says_which_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="operations"):
        catalogue_requests(tmp_path)


def test_no_request_is_for_a_vendor_of_a_benchmark() -> None:
    """What may train an encoder names none of those that it is measured on."""
    rows = list(written_for_tools())
    texts = [(server, text) for server, _, requests in rows for text in requests]

    assert not named_vendors(texts, excluded().vendors)
    assert all(text.strip() for _, text in texts)
    assert len({(server, tools) for server, tools, _ in rows}) == len(rows)
