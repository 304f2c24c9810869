"""The online shop of examples/, ingested into a test database."""

from pathlib import Path

from app.adapters.graph.store import GraphEngine, GraphStore
from app.domain.language.accepted_text import TextLimits
from app.settings import Settings
from ingest.run.pipeline import run_ingest
from ingest.run.request import Bounds, IngestRequest
from ingest.sources.files import file_input, manifest_inputs
from tests.engines import TestDatabase

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def ingest_examples(database: TestDatabase) -> None:
    """The taxonomy and all manifests, in one run, as the demo does it."""
    default = {name: field.default for name, field in Settings.model_fields.items()}
    limits = TextLimits(text_bytes=default["max_description_bytes"], schema_bytes=default["max_schema_bytes"])
    inputs = (
        file_input("taxonomy", EXAMPLES / "taxonomy.yaml"),
        *manifest_inputs([EXAMPLES / "manifests"]),
    )
    with GraphStore(lambda: database.address, engine=GraphEngine(database.name)) as store:
        report = run_ingest(
            store,
            IngestRequest(inputs=inputs),
            owner="tests",
            bounds=Bounds(limits=limits, max_file_bytes=default["max_file_bytes"], lease_wait_s=60.0),
        )
    assert not report.rejected, report
