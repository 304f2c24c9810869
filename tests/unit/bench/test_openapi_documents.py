"""The count of real and broken documents says what must not be."""

import json

import pytest

from bench.measure.openapi_documents import main, problems, read_folder
from tests.unit.ingest.openapi.documents import document


@pytest.fixture
def data(tmp_path):
    for part in ("specs", "malformed", "examples"):
        (tmp_path / part).mkdir()
    (tmp_path / "malformed" / "broken.yaml").write_text("a: b: c")
    (tmp_path / "examples" / "one.json").write_text(json.dumps(document({"/a": {"get": {}}})))
    return tmp_path


def test_documents_that_are_read_or_refused_with_their_place_are_fine(data, capsys):
    assert main(["--data", str(data)]) == 0
    assert "1 files, 1 refused" in capsys.readouterr().out


def test_a_known_document_with_another_number_of_operations_is_a_problem(data):
    (data / "specs" / "tmdb-3.0.json").write_text(json.dumps(document({"/a": {"get": {}}})))

    found = problems(list(read_folder(data / "specs")), folder=data / "specs")

    assert found == ["tmdb-3.0.json: 1 operations; expected: 54"]
    assert main(["--data", str(data)]) == 1


def test_a_missing_folder_is_named(tmp_path, capsys):
    assert main(["--data", str(tmp_path)]) == 2
    assert "specs: there is no such folder" in capsys.readouterr().err
