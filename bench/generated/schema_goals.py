"""Short goals made from the paths and schemas of a document: the call and the inputs of each are known by how it is made."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.domain.language.identifiers import is_plural, words
from app.domain.nodes.models import Tool
from app.domain.planning.operations import Operation, read_operation
from app.domain.schemas.tool_schemas import ITEM, Input

NAMES = (
    "Apollo",
    "prod-cluster",
    "v1.0",
    "Blue Team",
    "Q3 Report",
    "north wing",
    '"Blue team"',
    "marketing",
)
"""What things are called, as people write it."""
_IDS = (42, 1207, 93)
_COUNT = 5
_MOST_WORDS = 3
"""Of the name of an input that a goal says."""
_LONGEST_MEMBER = 20
_UNSAYABLE = frozenset(
    "id url uri uuid guid currency language country phone timezone color colour code locale token time key jwt secret password".split()
)
"""Last words of inputs whose values have a form that a made-up text has not."""
_SHAPING = frozenset(
    "limit page offset sort order cursor fields q search query size start count expand".split()
)
_CALLED = frozenset(("name", "title"))
_LIMITS = frozenset(("limit", "pagesize", "perpage"))


@dataclass(frozen=True, slots=True)
class SchemaGoal:
    """A goal, and what it was made from."""

    kind: str
    text: str
    call: str
    """Method and path."""
    inputs: Mapping[str, object] = field(default_factory=dict)
    """What the goal states, by the name of the input."""
    looked_up: str = ""
    """What the thing is called that has to be looked up."""


def made_goals(tools: Sequence[Tool], *, seed: str, most: int) -> list[SchemaGoal]:
    """At most `most` goals over the calls of a document, in an order that depends on `seed` alone."""
    drawn = random.Random(seed)  # noqa: S311 -- which goals are made is no secret
    operations = sorted(map(read_operation, tools), key=lambda one: (one.tool.path, one.tool.method))
    found = [goal for one in operations for goal in _goals_of(one, operations, drawn)]
    drawn.shuffle(found)
    return found[:most]


def _goals_of(one: Operation, all_: Sequence[Operation], drawn: random.Random) -> Iterator[SchemaGoal]:
    method, parts = one.tool.method, one.segments
    parameters = [part.text for part in parts if part.is_parameter]
    call = f"{method} {one.tool.path}"
    if len(parts) > 1 and parts[-1].is_parameter and len(parameters) == 1 and is_plural(parts[-2].text):
        noun, number = _noun(parts[-2].text), drawn.choice(_IDS)
        verb = {"GET": "show me", "DELETE": "delete"}.get(method)
        if verb:
            yield SchemaGoal("one", f"{verb} {noun} {number}", call, {parameters[0]: number})
            if "name" not in parameters[0].lower() and _lists_names(one, all_):
                name = drawn.choice(NAMES)
                yield SchemaGoal("look up", f"{verb} the {noun} {name}", call, looked_up=name.strip('"'))
        elif method in ("PUT", "PATCH") and (said := _said(one, "body", drawn)):
            name, spoken, value = drawn.choice(said)
            text = f"change the {_noun(name)} of {noun} {number} to {spoken}"
            yield SchemaGoal("change", text, call, {name: value, parameters[0]: number})
    elif len(parts) > 2 and parts[-2].is_parameter and len(parameters) == 1 and method == "GET":
        if is_plural(parts[-1].text) and is_plural(parts[-3].text):
            number = drawn.choice(_IDS)
            text = f"show me the {_spelt(parts[-1].text)} of {_noun(parts[-3].text)} {number}"
            yield SchemaGoal("part", text, call, {parameters[0]: number})
    elif parts and not parameters and is_plural(parts[-1].text):
        things = _spelt(parts[-1].text)
        if method == "POST" and len(said := _said(one, "body", drawn)) > 1:
            some = drawn.sample(said, 2)
            fields = " and ".join(f"{_noun(name)} {spoken}" for name, spoken, _ in some)
            text = f"create a {_noun(parts[-1].text)} with {fields}"
            yield SchemaGoal("create", text, call, {name: value for name, _, value in some})
        elif method == "GET":
            if said := [value for value in _said(one, "query", drawn) if value[0].lower() not in _SHAPING]:
                name, spoken, value = drawn.choice(said)
                yield SchemaGoal(
                    "filter", f"list the {things} with {_noun(name)} {spoken}", call, {name: value}
                )
            limit = next((item.name for item in one.inputs if "".join(words(item.name)) in _LIMITS), "")
            if limit:
                yield SchemaGoal("limit", f"list {_COUNT} {things}", call, {limit: _COUNT})


def _lists_names(one: Operation, all_: Sequence[Operation]) -> bool:
    """Whether the list of such things gives what they are called."""
    above = one.tool.path.rsplit("/", 1)[0]
    return any(
        output.name in _CALLED and ITEM in output.pointer
        for other in all_
        if other.tool.method == "GET" and other.tool.path.rstrip("/") == above
        for output in other.answer.fields
    )


def _said(one: Operation, location: str, drawn: random.Random) -> list[tuple[str, str, object]]:
    """Inputs that a goal can state: name, value as it is said, value as it is sent."""
    found = []
    for item in one.inputs:
        if item.location == location and len(item.pointer) == 1 and len(words(item.name)) <= _MOST_WORDS:
            value = _value(item, drawn)
            if value is not None:
                found.append((item.name, *value))
    return found


def _value(item: Input, drawn: random.Random) -> tuple[str, object] | None:
    last = words(item.name)[-1:]
    if item.enum:
        members = [
            one for one in item.enum if isinstance(one, str) and one.isalpha() and len(one) < _LONGEST_MEMBER
        ]
        member = drawn.choice(members) if len(members) > 1 else ""
        return (member.lower(), member) if member else None
    if item.format == "email" or last == ("email",):
        return "kim@acme.com", "kim@acme.com"
    if item.is_list or item.is_container or item.format or item.pattern or not _UNSAYABLE.isdisjoint(last):
        return None
    if item.type == "integer":
        number = drawn.choice((3, 25, 480))
        return str(number), number
    if item.type == "string" and last != ("date",):
        text = drawn.choice(("Silver Lake", "Borealis", '"Open house"'))
        return text, text.strip('"')
    return None


def _noun(name: str) -> str:
    return " ".join(words(name))


def _spelt(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").lower()
