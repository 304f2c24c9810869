"""Which files of a folder are documents, and which are parts of others."""

import pytest

from app.errors import InvalidInputError
from ingest.sources.files import openapi_inputs
from ingest.sources.openapi.files import openapi_files


def test_documents_are_told_from_parts_and_broken_files_count_as_documents(tmp_path):
    for name, text in {
        "api.yaml": "openapi: 3.1.0\n",
        "old/api.json": '{"swagger": "2.0"}',
        "parts/Pet.yaml": "type: object\n",
        "broken.yml": "a: b: c",
        "notes.txt": "openapi: 3.1.0",
        ".git/api.yaml": "openapi: 3.1.0\n",
        "large.json": '{"type": "' + "x" * 200 + '"}',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    documents, others = openapi_files(tmp_path, max_file_bytes=100)

    assert [str(path.relative_to(tmp_path)) for path in documents] == [
        "api.yaml",
        "broken.yml",
        "large.json",
        "old/api.json",
    ]
    assert others == [
        "parts/Pet.yaml: has no top-level 'openapi' or 'swagger'; taken as a part of other documents"
    ]


def test_what_an_address_may_keep_secret_is_not_stored():
    """Tokens are often in the query; the graph and every message show the address without it."""
    url = "https://api.example/openapi.json?token=hush"

    [one] = openapi_inputs([url], max_file_bytes=1000).inputs

    assert one.url == url
    assert one.uri == one.label == "https://api.example/openapi.json"


def test_an_address_that_is_none_is_wrong_usage():
    with pytest.raises(InvalidInputError, match="no address"):
        openapi_inputs(["http://[/openapi.json"], max_file_bytes=1000)
