"""A report as JSON."""

from dataclasses import asdict
from typing import Any

from ingest.diff.changes import SourceOutcome
from ingest.run.report import Report


def report_json(report: Report) -> dict[str, Any]:
    """All of a report; a dry run lists the ids that would change, a run counts them."""
    structure, dependencies = report.structure, report.dependencies
    return {
        "dry_run": report.dry_run,
        "generation": report.generation,
        "nodes_written": report.nodes_written,
        "nodes_removed": report.nodes_removed,
        "edges_written": report.edges_written,
        "rejected": report.rejected,
        "structure": None if structure is None else asdict(structure),
        "dependencies": None if dependencies is None else asdict(dependencies),
        "suggestions": None if report.suggestions is None else asdict(report.suggestions),
        "requests": None if report.requests is None else asdict(report.requests),
        "workflows": {
            "broken": [{"id": one, "reason": reason} for one, reason in report.workflows.broken],
            "mended": list(report.workflows.mended),
            "followed": list(report.workflows.followed),
        },
        "kept": report.kept,
        "passed_over": report.passed_over,
        "sources": [_outcome_json(one, ids=report.dry_run) for one in report.outcomes],
        "seconds": {phase: round(seconds, 3) for phase, seconds in report.seconds.items()},
    }


def _outcome_json(outcome: SourceOutcome, *, ids: bool) -> dict[str, Any]:
    return {
        "source": outcome.source,
        "status": outcome.status.value,
        "renamed": [{"from": old, "to": new} for old, new in outcome.renamed],
        "nodes": {
            label: {
                "created": sorted(one.created) if ids else len(one.created),
                "updated": sorted(one.updated) if ids else len(one.updated),
                "removed": sorted(one.removed) if ids else len(one.removed),
                "unchanged": one.unchanged,
            }
            for label, one in sorted(outcome.nodes.items())
        },
        "rejected": [
            {"item": entry.item, "reason": entry.reason, **({"said": entry.said} if entry.said else {})}
            for entry in outcome.rejected
        ],
        "warnings": outcome.warnings,
    }
