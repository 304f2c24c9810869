"""What a YAML document may take, whoever reads it."""

from app.errors import SourceRefusedError

MAX_YAML_BYTES = 16_000_000
"""Four times the largest document of the benchmark (kubernetes, 3.8 MB); JSON, which is read 20 times as fast,
is bounded by the size of files alone."""
MAX_YAML_VALUES = 1_000_000
"""Keys, values, lists and mappings, with aliases written out: eight times what kubernetes has (120,989). PyYAML
takes some 350 bytes and 8 microseconds for each, so a document stays below 0.5 GB and 10 s."""


def check_yaml_bytes(size: int, *, name: str) -> None:
    """Refuse a text that is too long to be read as YAML.

    Raises:
        SourceRefusedError: it is.
    """
    if size > MAX_YAML_BYTES:
        raise SourceRefusedError(
            f"{name}: {size:,} bytes of YAML; accepted: up to {MAX_YAML_BYTES:,}, or the same document as JSON"
        )


def too_many_values(place: str) -> SourceRefusedError:
    """The error for a document of too many values, with the place of the first that is too much."""
    return SourceRefusedError(
        f"{place}: more than {MAX_YAML_VALUES:,} values, aliases (*name) written out; accepted: up to that, in a"
        " smaller document, or the same one as JSON"
    )
