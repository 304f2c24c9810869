"""What benches leave of a graph that they were lent."""

from importlib.resources import as_file, files
from pathlib import Path

import pytest

from app.settings import Settings
from bench.served.served import empty_graph, ingest_inputs
from ingest.sources.files import manifest_inputs
from tests.engines import TestDatabase


@pytest.mark.neo4j
def test_a_bench_leaves_nothing_in_the_graph_that_it_was_lent(
    neo4j_database: TestDatabase, tmp_path: Path
) -> None:
    """Neither its sources nor the common taxonomy, which came along with them."""
    address = neo4j_database.address
    settings = Settings(
        data_dir=tmp_path,
        neo4j_uri=address.uri,
        neo4j_username=address.username,
        neo4j_password=address.password,
        common_taxonomy=True,
    )
    with as_file(files("examples")) as examples, empty_graph(settings) as store:
        ingest_inputs(store, settings, manifest_inputs([examples / "manifests"]))
        assert {source.kind for source in store.sources()} == {"manifest", "common"}
    with empty_graph(settings) as store:
        assert list(store.sources()) == []
