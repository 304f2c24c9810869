"""What of one tool is what of another that does the same: only what is certain, and otherwise why it is not.

A value is handed to another server only where it means the same everywhere: a place, a date, a text, an e-mail
address. What names a thing that a server keeps, an issue or a channel, means nothing to another one.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.domain.language.identifiers import words
from app.domain.nodes.models import Tool
from app.domain.planning.operations import read_operation
from app.domain.schemas.tool_schemas import ITEM, Input, Output, answer_of, inputs_of
from app.domain.schemas.walk import as_object, json_pointer, parsed_schema
from app.domain.workflows.plans import (
    Binding,
    KnownBinding,
    MappedPart,
    StepBinding,
    When,
    binding_parts,
)

EVERYWHERE = frozenset(
    "address bcc body cc city content count county day description destination ean email html isbn keyword lat latitude limit"
    " lng location lon longitude markdown message month note origin phone phrase place postcode prompt q quantity query"
    " sentence street subject summary text title town url week word year zip zipcode zoom".split()
)
"""Last words of inputs whose values mean the same to every server. Source: ours, from names of inputs of public APIs. Not among
them is what identifies a thing that a server keeps (`id`, `number`, `name`, `channel`, `path`, `user`), nor what each writes
in a way of its own where no format or list of values says which (`date`, `country`, `currency`, `amount`, `unit`)."""
_MEANS = frozenset(
    "byte celsius cent centimetre code dollar euro fahrenheit feet foot gigabyte gram handle hour iata icao id identifier inch"
    " iso kelvin kilobyte kilogram kilometer kilometre km kph major megabyte meter metre metric mile millisecond minor minute"
    " mph ounce penny pound second slug uuid".split()
)
"""Words of descriptions that say in what a value is measured, or how it names a thing. Source: the units of the International
System and of the English-speaking world, and what public APIs call identifiers."""
_OF_CONTENTS = frozenset("description subject summary title".split())
"""Of these, the ones by which a read asks for a thing that a server keeps: the page of a title."""
_EVERYWHERE_FORMATS = frozenset(("date", "date-time", "email", "idn-email", "time", "duration"))
_ADDRESS = re.compile(r"[^@\s]++@[^@\s]++\.[^@\s]++")


@dataclass(frozen=True, slots=True)
class Taken:
    """What a later step takes of an answer."""

    path: str
    fields: tuple[str, ...] = ()
    """JSON pointers to what a selection looks at."""
    stays: str = ""
    """The server that keeps what the value names; empty where it means the same everywhere."""
    is_compared: bool = False
    """With a value: then it has to have the same values."""


@dataclass(frozen=True, slots=True)
class Gave:
    """Which server an earlier step asks."""

    now: str
    before: str
    """Before an equivalent stood in."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """What of a stand-in is what of the tool before."""

    bindings: Mapping[str, Binding]
    """Of the step, by the names that its inputs have now."""
    inputs: tuple[MappedPart, ...]
    outputs: tuple[MappedPart, ...]

    def path(self, was: str) -> str:
        """Where a part of the answer stands now."""
        return next((one.name for one in self.outputs if one.was == was), was)


def mapped(
    bindings: Mapping[str, Binding],
    taken: Sequence[Taken],
    tool: Tool,
    other: Tool,
    gave: Callable[[int], Gave],
) -> Mapped | str:
    """A step's inputs and what is taken of its answer, for another tool; or why that is not certain.

    Every input that is filled has to go to one of the same name, type, format and accepted values; every required one
    of the other tool has to be filled so; and whatever a later step looks at has to stand in its answer.

    Args:
        bindings: of the step.
        taken: what later steps take of its answer.
        tool: that it calls.
        other: that would be called.
        gave: which server an earlier step asks, by its number.
    """
    filled = _inputs(bindings, tool, other, gave)
    if isinstance(filled, str):
        return filled
    outputs = _outputs(taken, tool, other)
    if isinstance(outputs, str):
        return outputs
    names = {part.was: part.name for part in filled}
    return Mapped({names[name]: binding for name, binding in bindings.items()}, filled, outputs)


def is_everywhere(item: Input, tool: Tool) -> bool:
    """Whether values of an input of a tool mean the same to every server."""
    if item.format in _EVERYWHERE_FORMATS or item.has_enum or item.type == "boolean":
        return True
    last = words(item.name)[-1:]
    return bool(EVERYWHERE.intersection(last)) and not (
        read_operation(tool).safe and _OF_CONTENTS.intersection(last)
    )


def _inputs(
    bindings: Mapping[str, Binding], tool: Tool, other: Tool, gave: Callable[[int], Gave]
) -> tuple[MappedPart, ...] | str:
    own, theirs = _by_name(tool), _by_name(other)
    found: list[MappedPart] = []
    for name, binding in bindings.items():
        if name not in own:
            return f"nothing says what its {name!r} is"
        like = [one for one in theirs.values() if words(one.name) == words(name)]
        if len(like) != 1:
            return f"it has no input {name!r}" if not like else f"it has {len(like)} inputs like {name!r}"
        item, taker = own[name], like[0]
        if said := _difference(item, taker, tool, other):
            return f"its {taker.name!r} {said}"
        if any(part.name == taker.name for part in found):
            return f"two inputs would fill its {taker.name!r}"
        if not is_everywhere(item, tool) and not _is_understood(binding, tool, other, gave):
            return f"{name!r} names what another server keeps"
        found.append(MappedPart(name=taker.name, was=name, type=taker.type, format=taker.format))
    given = {part.name for part in found}
    for one in theirs.values():
        if one.required and one.name not in given:
            return f"nothing fills its input {one.name!r}"
    return tuple(found)


def _by_name(tool: Tool) -> dict[str, Input]:
    """The inputs of the top level: bindings fill no others."""
    return {item.name: item for item in inputs_of(tool) if len(item.pointer) == 1}


def _difference(item: Input, other: Input, tool: Tool, its: Tool) -> str:
    """In what two inputs of one name differ; empty where in nothing that a value would show."""
    if not item.type or item.type != other.type:
        return f"is of type {other.type or 'any'!r}, not {item.type or 'any'!r}"
    if (item.is_list, item.item_type) != (other.is_list, other.item_type):
        return "is another kind of list"
    if item.format != other.format:
        return f"has the format {other.format or 'any'!r}, not {item.format or 'any'!r}"
    if item.has_enum != other.has_enum or {*item.enum} != {*other.enum}:
        return "takes other values"
    if item.pattern != other.pattern:
        return "has another pattern"
    if (item.is_container or other.is_container) and _schema(tool, item) != _schema(its, other):
        return "has other parts"
    if _means(item) != _means(other):
        return "is measured, or written, in another way"
    return ""


def _schema(tool: Tool, item: Input) -> object:
    """What a tool says of an input, without the texts for people; references count as different."""
    said = as_object(parsed_schema(tool.input_schema).get("properties")).get(item.name)
    return object() if "$ref" in str(said) else _plain(said)


def _plain(schema: object) -> object:
    if isinstance(schema, dict):
        return {key: _plain(value) for key, value in schema.items() if key not in ("description", "title")}
    return [_plain(one) for one in schema] if isinstance(schema, list) else schema


def _means(item: Input) -> frozenset[str]:
    return frozenset(words(f"{item.name} {item.description}")) & _MEANS


def _is_understood(binding: Binding, tool: Tool, other: Tool, gave: Callable[[int], Gave]) -> bool:
    """Whether the server of another tool knows what this one is given: the same server, or the one that gave it."""
    if isinstance(binding, KnownBinding) and tool.server != other.server:
        return isinstance(binding.known, str) and _ADDRESS.fullmatch(binding.known) is not None
    for part in binding_parts(binding):
        if not isinstance(part, StepBinding):
            if tool.server != other.server:
                return False
            continue
        source = gave(part.step)
        is_as_before = tool.server == other.server and source.now == source.before
        if source.now != other.server and not is_as_before:
            return False
    return tool.server == other.server or any(True for _ in binding_parts(binding))


def _outputs(taken: Sequence[Taken], tool: Tool, other: Tool) -> tuple[MappedPart, ...] | str:
    if not taken:
        return ()
    own = {json_pointer(one.pointer): one for one in answer_of(tool).fields}
    theirs = {json_pointer(one.pointer): one for one in answer_of(other).fields}
    found: dict[str, MappedPart] = {}
    for one in taken:
        if one.stays and one.stays != other.server:
            return (
                f"{one.path!r} of its answer names what it keeps, and a later step asks {one.stays!r} for it"
            )
        for path in (one.path, *one.fields):
            if path not in own:
                return f"nothing says what {path or 'its whole answer'!r} is"
            place = _place_of(own[path], path, theirs)
            if place is None or (one.fields and place != path):
                return f"its answer has no {path!r} of the same type"
            if (one.is_compared or path in one.fields) and _may_say_else(
                own[path], theirs[place], tool, other
            ):
                return f"{place!r} of its answer may have other values"
            found[path] = MappedPart(name=place, was=path, type=own[path].type)
    return tuple(found.values())


def _may_say_else(output: Output, its: Output, tool: Tool, other: Tool) -> bool:
    """Whether what a value is compared with may be said in other words: each server has its own for a status."""
    if {*output.enum} != {*its.enum}:
        return True
    return output.type == "string" and not output.enum and tool.server != other.server


def _place_of(output: Output, path: str, theirs: Mapping[str, Output]) -> str | None:
    """The place of the same thing in another answer: the same one, else the only one of its name and type."""
    if path in theirs:
        return path if theirs[path].type == output.type and output.type else None
    like = [
        place
        for place, one in theirs.items()
        if words(one.name) == words(output.name)
        and one.name
        and one.type == output.type
        and one.type
        and one.pointer.count(ITEM) == output.pointer.count(ITEM)
    ]
    return like[0] if len(like) == 1 else None


def taken_by(binding: Binding, step: int, stays: str) -> Iterator[Taken | None]:
    """What a binding takes of the answer of a step; None for what no pointer says: a header."""
    for part in binding_parts(binding):
        if isinstance(part, StepBinding) and part.step == step:
            yield None if part.header else Taken(part.path, tuple(_looked_at(part)), stays)


def asked_by(when: When, step: int) -> Iterator[Taken]:
    """What a condition asks of the answer of a step."""
    if when.step == step:
        yield Taken(when.path, is_compared=True)


def _looked_at(part: StepBinding) -> Iterator[str]:
    select = part.select
    if select is None or ITEM not in part.path.split("/"):
        return
    segments = part.path.split("/")
    item = "/".join(segments[: len(segments) - segments[::-1].index(ITEM)])
    named = [one.field for one in select.where]
    named += [select.sort.field] if select.sort else []
    named += [select.field] if select.field else []
    for field in named:
        yield f"{item}/{field}" if field else item
