"""Times as they are kept and answered."""

from datetime import UTC, datetime


def utc_text(moment: datetime) -> str:
    """UTC, ISO 8601, whole seconds: `2026-03-01T08:00:00Z`; texts of this form sort as their times do."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
