"""Numbers and times as people read them."""

from datetime import UTC, datetime

_UNITS = ((86_400 * 2, 86_400, "days"), (3_600 * 2, 3_600, "hours"), (120, 60, "minutes"))


def number(value: int) -> str:
    """17570 is 17,570."""
    return f"{value:,}"


def beyond(description: str, title: str) -> str:
    """What a description says beside the title that it begins with."""
    return (
        description[len(title) :].lstrip(" .:-\n") if title and description.startswith(title) else description
    )


_PLURALS = {"Category": "categories"}


def counted(count: int, kind: str) -> str:
    """`1 tool`, `8 categories`: nodes of a kind."""
    many = _PLURALS.get(kind, f"{kind.lower()}s")
    return f"{number(count)} {kind.lower() if count == 1 else many}"


def score(value: float) -> str:
    """A score, with as many digits as tell neighbours apart."""
    return f"{value:.2f}" if abs(value) >= 0.1 or value == 0 else f"{value:.2g}"


def signed(value: float) -> str:
    """What is added to a score, with a true minus."""
    return f"+{score(value)}" if value >= 0 else f"−{score(-value)}"  # noqa: RUF001 - as wide as a plus


def ago(at: str, now: datetime | None = None) -> str:
    """How long ago an ISO 8601 time was: `3 days ago`; a text that is no time stays as it is."""
    try:
        then = datetime.fromisoformat(at)
    except ValueError:
        return at
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    seconds = ((now or datetime.now(UTC)) - then).total_seconds()
    for least, unit, name in _UNITS:
        if seconds >= least:
            return f"{int(seconds // unit)} {name} ago"
    return "just now" if seconds > -120 else at
