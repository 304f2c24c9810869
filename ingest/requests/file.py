"""Requests that somebody has written down in a file: JSON Lines, JSON or YAML."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from app.adapters.documents.structured_text import parse_json, parse_text
from app.domain.field_errors import refused_fields
from app.domain.language.accepted_text import shown
from app.domain.language.near import near_ones
from app.domain.nodes.models import Tool, ToolId
from app.domain.requests.answer import (
    LANGUAGE,
    MOST_OF_A_LANGUAGE,
    MOST_OF_A_TOOL,
    OtherTools,
    Requests,
    checked_requests,
)
from app.errors import InvalidInputError

_Language = Annotated[str, Field(pattern=f"^{LANGUAGE}$")]
_Text = Annotated[str, Field(max_length=4_000)]
_Texts = Annotated[list[_Text], Field(max_length=MOST_OF_A_LANGUAGE)]
_MOST = 200_000
"""Items of a file."""


class RequestItem(BaseModel):
    """The requests of one tool, in place of all that it had."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: ToolId
    requests: dict[_Language, _Text | _Texts]
    """Language -> a text or several. Without any, the tool loses those that it had."""
    model: Annotated[str, Field(max_length=200)] = ""
    """Which language model wrote them."""

    @model_validator(mode="after")
    def _is_bounded(self) -> Self:
        if sum(map(len, self.written.values())) > MOST_OF_A_TOOL:
            raise ValueError(f"more than {MOST_OF_A_TOOL} requests of one tool")
        return self

    @property
    def written(self) -> Requests:
        """Language -> texts."""
        return {
            language: (said,) if isinstance(said, str) else tuple(said)
            for language, said in self.requests.items()
        }


@dataclass(frozen=True, slots=True)
class RejectedRequest:
    """An item, or a request of one, that is not kept."""

    item: str
    reason: str


@dataclass(frozen=True, slots=True)
class RequestFile:
    """What a file holds that can be kept."""

    items: Sequence[RequestItem]
    """Of each tool the last."""
    rejected: Sequence[RejectedRequest]


def read_request_file(data: bytes, *, name: str) -> RequestFile:
    """The items of a file, each alone: one that is broken stops no other.

    Args:
        data: JSON Lines where the name ends in `.jsonl`: an item a line. Else a list of items, JSON or YAML.
        name: Of the file.

    Raises:
        InvalidInputError: it is neither, or has more items than are read.
    """
    items: dict[str, RequestItem] = {}
    rejected: list[RejectedRequest] = []
    for label, value in _values(data, name):
        try:
            if isinstance(value, InvalidInputError):
                raise value
            item = RequestItem.model_validate(value)
            items[item.tool] = item
        except ValidationError as error:
            found = refused_fields(error.errors(include_url=False), unknown="there is no such field")
            rejected.append(RejectedRequest(label, "; ".join(map(str, found))))
        except InvalidInputError as error:
            rejected.append(RejectedRequest(label, str(error)))
    return RequestFile(tuple(items.values()), tuple(rejected))


def requests_for(
    file: RequestFile, tools: Mapping[str, Tool], others: OtherTools
) -> tuple[dict[str, Requests], list[RejectedRequest]]:
    """The requests of a file that fit these tools, and what does not.

    Args:
        file: What it holds.
        tools: By id.
        others: The same tools, for what may not be named.
    """
    found: dict[str, Requests] = {}
    rejected = list(file.rejected)
    for item in file.items:
        tool = tools.get(item.tool)
        label = f"tool {shown(item.tool)}"
        if tool is None:
            near = near_ones(item.tool, tools, cutoff=0.6, otherwise="an id is server/name")
            rejected.append(RejectedRequest(label, f"no tool has this id; {near}"))
            continue
        checked = checked_requests(item.written, tool=tool, others=others)
        rejected += [RejectedRequest(label, problem) for problem in checked.problems]
        if checked.requests or not item.written:
            found[item.tool] = checked.requests
    return found, rejected


def _values(data: bytes, name: str) -> Iterator[tuple[str, Any]]:
    """Label and value of each item; the error of a line that is no JSON."""
    if not name.endswith(".jsonl"):
        values = parse_text(data, name=name)
        if not isinstance(values, list) or len(values) > _MOST:
            raise InvalidInputError(
                f"{name}: accepted: a list of items {{tool: ID, requests: {{en: [TEXT]}}}}, at most {_MOST:,}"
            )
        yield from ((f"item {place}", value) for place, value in enumerate(values, start=1))
        return
    lines = data.split(b"\n")
    if len(lines) > _MOST + 1:
        raise InvalidInputError(f"{name}: {len(lines):,} lines; accepted: up to {_MOST:,}")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        value: Any
        try:
            value = parse_json(line, name=f"line {number}")
        except InvalidInputError as error:
            value = error
        yield f"line {number}", value
