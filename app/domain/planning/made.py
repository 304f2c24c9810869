"""What an earlier call makes, as a later one calls it."""

from collections.abc import Sequence

from app.domain.filling.forms import Form
from app.domain.language.identifiers import singular
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.index import PlanIndex
from app.domain.schemas.tool_schemas import Output
from app.domain.schemas.walk import json_pointer

_DEEPEST = 3
"""Members of a JSON pointer to an input; deeper ones say little of the whole."""
_SHORT_NAME = 3


def made_field(index: PlanIndex, made: int, form: Form) -> str:
    """JSON pointer to what an answer calls the thing that was made; empty where the input is of something else."""
    fields = index.operation(made).answer.fields
    name = form.item.name.lower()
    creates = index.traits[made].kind is OperationKind.CREATE
    if (
        creates
        and form.names
        and form.names <= index.traits[made].resource
        and len(form.item.pointer) <= _DEEPEST
    ):
        top = _top_names(fields)
        for key in ("id", "key", "number", "name"):
            if key in top:
                return "/" + key
    if form.names and len(form.item.pointer) < _DEEPEST:
        # An answer often wraps what was made: `/channel/id`.
        for output in fields:
            if (
                len(output.pointer) == 2
                and output.name in ("id", "key")
                and {stem(singular(output.pointer[0]))} == form.names
            ):
                return json_pointer(output.pointer)
    if not creates:
        return ""
    short = next(
        (
            key
            for key in _top_names(fields)
            if len(key) <= _SHORT_NAME < len(name) and _abbreviates(key, name)
        ),
        "",
    )
    return "/" + short if short else ""


def _top_names(fields: Sequence[Output]) -> list[str]:
    return [output.name for output in reversed(fields) if len(output.pointer) == 1]


def _abbreviates(short: str, name: str) -> bool:
    """Whether the letters of one name stand in another in their order, the first first: `ts` in `timestamp`."""
    letters = iter(name)
    return (
        len(short) > 1 and short[0].lower() == name[0] and all(letter in letters for letter in short.lower())
    )
