"""What a run did, as values that become JSON or tables."""

from dataclasses import dataclass, field

from app.usecases.workflow_health import WorkflowCounts
from ingest.diff.changes import Changes, Outcome
from ingest.enrich.requires.tool_dependencies import DependencyCounts
from ingest.enrich.similar.structure import Structure


@dataclass(slots=True)
class Report:
    """What a run did, or would do."""

    dry_run: bool
    generation: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Sources whose file is gone from a folder that was ingested, and which stay."""
    passed_over: list[str] = field(default_factory=list)
    """Files of folders that are no documents, with the reason."""
    nodes_written: int = 0
    nodes_removed: int = 0
    edges_written: int = 0
    structure: Structure | None = None
    """None when no edge that fingerprints count has changed."""
    dependencies: DependencyCounts | None = None
    """None when no tool has changed."""
    workflows: WorkflowCounts = field(default_factory=WorkflowCounts)
    """Stored workflows that the run broke, or mended."""
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def rejected(self) -> int:
        """Items, references and sources that did not make it into the graph."""
        return sum(len(outcome.rejected) for outcome in self.outcomes)

    def count(self, changes: Changes) -> None:
        """Take over what was, or would be, written."""
        self.nodes_written = len(changes.nodes)
        self.nodes_removed = sum(len(nodes) for nodes in changes.removed.values())
        self.edges_written = changes.edge_count
