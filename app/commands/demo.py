"""`outfitter demo`: from nothing to answers with reasons."""

import json
import tempfile
import time
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console

from app.adapters.engine.embedded import EmbeddedEngine
from app.commands.answer_tables import print_answer
from app.commands.terminal import open_console, plain_text
from app.roots.graph import open_graph, read_index, read_settings
from app.settings import Settings
from app.usecases.questions import SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from ingest.run.request import IngestRequest
from ingest.sources.files import file_input, manifest_inputs
from ingest.wiring import ingest_into

_TOP_K = 3

_NEXT = """\
What to do next:

  outfitter ingest manifest FOLDER          your servers' tools: each file holds
                                            what one answers to tools/list
  outfitter ingest taxonomy taxonomy.yaml   what people want done, in their
                                            words, like examples/taxonomy.yaml
  outfitter query "TEXT" --explain          ask
  outfitter serve                           ask over HTTP, see /docs there

The demo's own folder is gone again; nothing else was touched."""


def run(console: Console | None = None) -> None:
    """Ingest the examples into an engine of their own, ask the questions, print answers, clean up.

    Raises:
        EngineUnavailableError: there is no embedded engine here.
    """
    console = console or open_console()
    with (
        as_file(files("examples")) as examples,
        # An engine that is stopped by force may still write while the folder goes.
        tempfile.TemporaryDirectory(prefix="outfitter-demo-", ignore_cleanup_errors=True) as folder,
    ):
        # A Neo4j that the environment names is somebody's: the demo stays out of it.
        settings = read_settings(data_dir=Path(folder)).model_copy(update={"neo4j_uri": None})
        try:
            _show(settings, examples, console)
        finally:
            EmbeddedEngine(Path(folder)).stop()
    console.print(plain_text(_NEXT))


def _show(settings: Settings, examples: Path, console: Console) -> None:
    begin = time.perf_counter()
    inputs = [
        *manifest_inputs([examples / "manifests"]),
        file_input("taxonomy", examples / "taxonomy.yaml"),
    ]
    with open_graph(settings) as graph:
        ingest_into(graph, settings, IngestRequest(inputs=inputs))
        index = read_index(graph, settings)
        catalogue = index.catalogue
        console.print(
            f"An online shop: {len(catalogue.tools)} tools of {sum(map(bool, index.servers))} servers,"
            f" {len(catalogue.methods)} methods, {len(catalogue.templates)} templates,"
            f" ingested and indexed in {time.perf_counter() - begin:.1f} s.\n"
        )
        questions = json.loads((examples / "questions.json").read_text(encoding="utf-8"))
        for number, question in enumerate(questions, start=1):
            request = SearchRequest(query=question, top_k=_TOP_K, explain=True)
            asked = time.perf_counter()
            answer = search(request, ConsistentGraph(index, graph))
            took_ms = 1000 * (time.perf_counter() - asked)
            console.print(
                plain_text(f"{number}. {question}", style="bold"),
                plain_text(f"({took_ms:.1f} ms)", style="dim"),
            )
            print_answer(answer, console=console)
