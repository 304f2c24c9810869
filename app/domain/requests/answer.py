"""Which requests are kept, whoever wrote them: held to a form, and naming no other tool. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError

from app.domain.field_errors import refused_fields
from app.domain.language.visible_text import excerpt, hidden_in, without_hidden
from app.domain.nodes.models import Tool
from app.domain.requests.prompt import RequestWish

Requests = Mapping[str, tuple[str, ...]]
"""Language -> texts."""

MAX_CHARS: Final = 200
"""Of a request: the longest of 271 tools, written by hand, has 102."""
MOST_OF_A_TOOL: Final = 40
MOST_OF_A_LANGUAGE: Final = 8
LANGUAGE: Final = r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})?"
"""A code of BCP 47: a language, and a script or region."""
_LONGEST = 4_000
"""Characters of a text within an answer."""
_LISTED = 200
"""Entries of an answer that are read."""
_NAMED = 10
_CODE = re.compile(LANGUAGE)
_ADDRESS = re.compile(r"://|\bwww\.", re.IGNORECASE)
_WORD = re.compile(r"[\w./:-]+", re.ASCII)
"""Names are found between the letters of other scripts, too."""
_PARTS = re.compile(r"[_./:-]|[a-z][A-Z]|\d")
"""What sets a name off from an ordinary word."""
_EDGES = "./:-"


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    language: Annotated[StrictStr, Field(max_length=20)]
    text: Annotated[StrictStr, Field(max_length=_LONGEST)]


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    requests: Annotated[tuple[_Entry, ...], Field(min_length=1, max_length=_LISTED)]


class OtherTools:
    """What requests of one tool may not name: ids and names of the others, as far as these are no ordinary words.

    A tool called `search` is no reason to refuse the word; one called `search_code` is.
    """

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._owners: dict[str, set[str]] = {}
        for tool in tools:
            for name in (tool.id, tool.name):
                if _PARTS.search(name):
                    self._owners.setdefault(name.casefold(), set()).add(tool.id)

    def named_in(self, text: str, *, tool: Tool) -> str:
        """The first name of another tool in a text; empty where it names no other tool."""
        own = {tool.id.casefold(), tool.name.casefold()}
        for found in _WORD.finditer(text):
            word = found.group().strip(_EDGES).casefold()
            for part in (word, *word.split("/")[-1:]):
                if part not in own and self._owners.get(part, set()) - {tool.id}:
                    return part
        return ""


class CheckedRequests(NamedTuple):
    """What is kept of an answer, and why the rest of it is not."""

    requests: Requests
    problems: tuple[str, ...]
    """For the model, which may be shown its own words; and for people."""


def checked_answer_requests(
    text: str, wish: RequestWish, *, tool: Tool, others: OtherTools
) -> CheckedRequests:
    """The requests of an answer that can be kept, no more of each language than were asked for.

    Args:
        text: What the model wrote.
        wish: What it was asked for; what it wrote in other languages is passed over.
        tool: That they are for.
        others: The tools of the catalogue.
    """
    try:
        found = _Answer.model_validate_json(text)
    except ValidationError as error:
        errors = refused_fields(error.errors(include_url=False), unknown="there is no such field")
        return CheckedRequests({}, tuple(excerpt(str(one), length=200) for one in errors[:_NAMED]))
    written: dict[str, list[str]] = {language: [] for language in wish.languages}
    for entry in found.requests:
        if entry.language in written:
            written[entry.language].append(entry.text)
    kept, problems = checked_requests(written, tool=tool, others=others)
    problems += tuple(f"no request in {one!r} can be kept" for one in wish.languages if not kept.get(one))
    return CheckedRequests(
        {language: texts[: wish.number] for language, texts in kept.items()}, problems[:_NAMED]
    )


def checked_requests(
    written: Mapping[str, Sequence[str]], *, tool: Tool, others: OtherTools
) -> CheckedRequests:
    """The requests that can be kept, each once, and why the others cannot."""
    kept: dict[str, tuple[str, ...]] = {}
    problems: list[str] = []
    seen: set[str] = set()
    for language, texts in written.items():
        good: list[str] = []
        for text in texts:
            clean = " ".join(without_hidden(text).split())
            if problem := next(_problems(text, clean, tool, others), ""):
                problems.append(f"{excerpt(text)!r}: {problem}")
            elif clean.casefold() not in seen:
                seen.add(clean.casefold())
                good.append(clean)
        if good:
            kept[language] = tuple(good)
    return CheckedRequests(kept, tuple(problems))


def _problems(text: str, clean: str, tool: Tool, others: OtherTools) -> Iterator[str]:
    if found := hidden_in(text):
        yield f"holds {', '.join(found)}; accepted: text without control and invisible characters"
    if not any(each.isalnum() for each in clean):
        yield "says nothing"
    if len(clean) > MAX_CHARS:
        yield f"has {len(clean)} characters; accepted: up to {MAX_CHARS}"
    if address_in(clean):
        yield "holds the address of a page; accepted: words"
    if name := others.named_in(clean, tool=tool):
        yield f"names another tool, {excerpt(name)!r}; accepted: what somebody says who knows of no tool"


def address_in(text: str) -> bool:
    """Whether a text holds the address of a page."""
    return _ADDRESS.search(text) is not None


def languages_of(codes: Collection[str]) -> tuple[str, ...]:
    """Codes of languages, each once, in their order.

    Raises:
        ValueError: one is no code; the message names it.
    """
    for code in codes:
        if not _CODE.fullmatch(code):
            raise ValueError(f"{excerpt(code)!r}; accepted: codes such as en, de or pt-BR")
    return tuple(dict.fromkeys(codes))
