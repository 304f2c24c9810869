"""ToolBench's taxonomy in a graph, through the same ingest as any other."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.graph.store import GraphStore
from app.domain.catalogue import Catalogue
from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import source_id
from app.errors import InvalidInputError
from app.ports.ranking import RankedGraph
from app.roots.graph import open_graph, read_settings
from app.settings import Settings
from bench.sets.datasets import require
from bench.sets.taxonomy import TAXONOMY, taxonomy_catalogue
from ingest.run.pipeline import run_ingest
from ingest.run.request import Bounds, IngestRequest
from ingest.sources.files import file_input

_NAME = "toolbench"


class Engine(StrEnum):
    """What computes the graph's scores."""

    EMBEDDED = "embedded"
    """The embedded engine, on a temporary folder."""
    NEO4J = "neo4j"
    """The Neo4j of NEO4J_URI, which must be empty and is empty again afterwards."""
    MEMORY = "memory"
    """No database: the formulas that both engines are held to."""


@contextmanager
def toolbench_graph(data: Path, engine: Engine) -> Iterator[tuple[Catalogue, RankedGraph | None]]:
    """The taxonomy as a catalogue, and what ranks in its graph; without a database, nothing does.

    Raises:
        InvalidInputError: the taxonomy is missing, or the Neo4j is not named or not empty.
        StoreUnavailableError: the database cannot be reached or started.
    """
    if engine is Engine.MEMORY:
        catalogue = taxonomy_catalogue(data)
        yield catalogue, None
        return
    taxonomy = require(data, *TAXONOMY)
    # An engine that is stopped by force may still write while the folder goes.
    with tempfile.TemporaryDirectory(prefix="outfitter-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        try:
            with _ingested(taxonomy, _settings(folder, engine)) as store:
                yield store.catalogue(), store
        finally:
            if engine is Engine.EMBEDDED:
                EmbeddedEngine(folder).stop()


@contextmanager
def _ingested(taxonomy: Path, settings: Settings) -> Iterator[GraphStore]:
    bounds = Bounds(
        limits=TextLimits(settings.max_description_bytes, settings.max_schema_bytes),
        max_file_bytes=settings.max_file_bytes,
        lease_wait_s=settings.lease_wait_s,
    )
    owner = f"bench:{os.getpid()}"
    with open_graph(settings) as store:
        store.apply_schema()
        if store.sources():
            raise InvalidInputError(
                f"NEO4J_URI: {settings.neo4j_uri} holds sources; the bench accepts an empty database"
            )
        try:
            run_ingest(
                store,
                IngestRequest(inputs=[file_input("taxonomy", taxonomy, name=_NAME)]),
                owner=owner,
                bounds=bounds,
            )
            yield store
        finally:
            run_ingest(
                store, IngestRequest(removals=[source_id("taxonomy", _NAME)]), owner=owner, bounds=bounds
            )


def _settings(folder: Path, engine: Engine) -> Settings:
    settings = read_settings(data_dir=folder)
    if engine is Engine.EMBEDDED:
        return settings.model_copy(update={"neo4j_uri": None})
    if not settings.neo4j_uri:
        raise InvalidInputError("--engine neo4j: NEO4J_URI is not set; it names an empty Neo4j")
    return settings
