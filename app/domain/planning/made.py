"""What an earlier call makes, as a later one calls it."""

from collections.abc import Callable, Sequence

from app.domain.filling.forms import Form
from app.domain.language.identifiers import id_family, singular, words
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.index import PlanIndex
from app.domain.planning.operations import is_envelope
from app.domain.schemas.tool_schemas import Output
from app.domain.schemas.walk import json_pointer

_DEEPEST = 3
"""Members of a JSON pointer to an input; deeper ones say little of the whole."""
_SHORT_NAME = 3


def made_field(index: PlanIndex, made: int, form: Form) -> str:
    """JSON pointer to what an answer calls the thing that was made; empty where the input is of something else."""
    fields: Sequence[Output] = index.operation(made).shallow_fields
    name = form.item.name.lower()
    if words(name)[-1:] == ("email",):
        # Nobody's address is the id of somebody.
        fields = [one for one in fields if words(one.name)[-1:] == ("email",)]
    traits = index.traits[made]
    creates = traits.kind is OperationKind.CREATE
    # A tenant group is a group, and no tenant.
    is_about = creates and traits.head in form.names and form.names <= traits.resource
    if is_about and form.names and len(form.item.pointer) <= _DEEPEST:
        whole = _at(fields, lambda parents: not parents)
        if key := _key_of(whole, name):
            return key
    if form.names and len(form.item.pointer) < _DEEPEST:
        # An answer often wraps what was made: `/channel/id`, `/data/gid`.
        above = {
            wrapper
            for wrapper in index.operation(made).wrappers
            if {stem(singular(wrapper))} == form.names or (is_about and is_envelope(wrapper))
        }
        wrapped = _at(fields, lambda parents: len(parents) == 1 and parents[0] in above) if above else []
        if key := _key_of(
            [one for one in wrapped if one.name in ("id", "key") or is_id(one.name, name)], name
        ):
            return key
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


def is_id(field: str, name: str = "") -> bool:
    """Whether a field of an answer is the id of what holds it: `id`, `sid`, `gid`, or called as the input that takes it."""
    said = words(field)
    return (len(said) == 1 and id_family(said[0]) == "id") or (len(said) > 1 and field.lower() == name)


def _at(fields: Sequence[Output], fits: Callable[[tuple[str, ...]], bool]) -> list[Output]:
    return [one for one in fields if fits(one.pointer[:-1])]


def _key_of(fields: Sequence[Output], name: str) -> str:
    """JSON pointer to the field by which a thing is known best; empty without one."""
    found = [one for one in fields if is_id(one.name, name)]
    found += [one for key in ("key", "number", "name") for one in fields if one.name == key]
    return json_pointer(found[0].pointer) if found else ""


def _top_names(fields: Sequence[Output]) -> list[str]:
    return [output.name for output in reversed(fields) if len(output.pointer) == 1]


def _abbreviates(short: str, name: str) -> bool:
    """Whether the letters of one name stand in another in their order, the first first: `ts` in `timestamp`."""
    letters = iter(name)
    return (
        len(short) > 1 and short[0].lower() == name[0] and all(letter in letters for letter in short.lower())
    )
