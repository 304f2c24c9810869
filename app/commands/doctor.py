"""`outfitter doctor`: which tools cannot be found, why, and what another description would change."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import DataDir
from app.commands.terminal import open_console, plain_text, write_json

if TYPE_CHECKING:
    from rich.console import Console

    from app.domain.nodes.models import Tool
    from app.settings import Settings
    from app.usecases.doctor.examination import Examination, Findability, Lift

_MOST = 20
"""Tools that are shown; `--json` has all."""
_SHOWN = 300
"""Characters of a proposed description."""


def doctor(
    source: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SOURCE]...", help="Names of servers, or sources such as openapi:billing."),
    ] = None,
    *,
    ask_model: Annotated[
        bool,
        typer.Option(
            "--ask-model",
            help="Let the model behind OUTFITTER_LLM_URL write the descriptions; else they are put together.",
        ),
    ] = False,
    model: Annotated[
        str | None, typer.Option(help="Name of that model.", show_default="OUTFITTER_LLM_MODEL")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="All of it as JSON.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Find the tools that cannot be found, and say what another description would change. Nothing is changed.

    Measured on the requests that were written for the tools (outfitter enrich requests) and on the examples of your
    methods, which are not among the words that are searched then. Example: outfitter doctor openapi:billing
    """
    from app.roots.graph import open_index, read_settings
    from app.usecases.doctor.examination import Doctor
    from ingest.commands.progress import progress_shown

    settings = read_settings(data_dir=data_dir)
    with open_index(settings) as (_, index):
        catalogue = index.catalogue
    tools = _chosen(list(catalogue.tools), source or [])
    with progress_shown(as_json=json) as progress:
        progress.begin("tools", len(tools))
        patient = Doctor(catalogue, on_tool=lambda: progress.advance(1))
        found = patient.examine(tools)
        sick = {one.tool for one in found.sick}
        texts, refused = _proposals(
            [tool for tool in tools if tool.id in sick], list(catalogue.tools), settings, ask_model, model
        )
        helping, lift = patient.helpful(found, tools, texts)
    if json:
        _print_json(found, helping, refused, lift)
    else:
        _print(open_console(), found, helping, refused, lift)


def _chosen(tools: "list[Tool]", sources: list[str]) -> "list[Tool]":
    """The tools of these servers; a source of tools bears its server's name.

    Raises:
        NotFoundError: no tool has the server.
    """
    from app.domain.language.near import near_ones
    from app.errors import NotFoundError

    names = {one.rpartition(":")[2] for one in sources}
    known = sorted({tool.server for tool in tools if tool.server})
    for name in sorted(names):
        if name not in known:
            near = near_ones(name, known, cutoff=0.5, otherwise="`outfitter sources` lists all")
            raise NotFoundError(f"no tools of a server {name!r}; {near}")
    return [tool for tool in tools if not names or tool.server in names]


def _proposals(
    sick: "list[Tool]", tools: "list[Tool]", settings: "Settings", ask_model: bool, model: str | None
) -> tuple[dict[str, str], dict[str, str]]:
    """Tool id -> a description, and -> why a model's was not taken and one was put together instead."""
    from app.domain.requests.answer import OtherTools
    from app.domain.requests.description import assembled_description
    from app.errors import ReaderUnavailableError
    from app.roots.reading import opened_describer

    texts = {str(tool.id): assembled_description(tool) for tool in sick}
    refused: dict[str, str] = {}
    if not (ask_model or model):
        return texts, refused
    others = OtherTools(tools)
    with opened_describer(settings, model=model) as describer:
        for tool in sick:
            try:
                said = describer.describe(tool, others)
            except ReaderUnavailableError as error:
                # One that is away is not waited for again and again.
                return texts, {**refused, str(tool.id): str(error)}
            if said.text:
                texts[tool.id] = said.text
            else:
                refused[tool.id] = "; ".join(said.problems)
    return texts, refused


def _print(
    console: "Console",
    found: "Examination",
    texts: Mapping[str, str],
    refused: Mapping[str, str],
    lift: "Lift",
) -> None:
    for one in found.sick[:_MOST]:
        console.print(plain_text(one.tool, style="bold"))
        for symptom in one.symptoms:
            others = f": {', '.join(symptom.tools)}" if symptom.tools else ""
            console.print(plain_text(f"  {_WORDS[symptom.kind]}{others}"))
        text = texts.get(one.tool)
        if text is None:
            console.print(f"  found by {_rate(one.now)}; no description that was tried does better")
        elif one.now.requests:
            console.print(f"  found by {_rate(one.now)}, with this text {_rate(lift.tools[one.tool])}:")
        else:
            console.print("  no request is known for it; it might be described as:")
        if text is not None:
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
            console.print(plain_text(f"  {shown}", style="cyan"))
        if one.tool in refused:
            console.print(
                plain_text(f"  (put together, because the model's was not taken: {refused[one.tool]})")
            )
    if len(found.sick) > _MOST:
        console.print(f"... and {len(found.sick) - _MOST} more (--json lists all)")
    console.print(
        f"{len(found.sick)} of {found.tools} tools are hard to find; requests are known for {found.measured}."
    )
    if found.now.requests:
        console.print(
            f"Over all of them: now {_rate(found.now)}, with the {len(texts)} descriptions that help"
            f" {_rate(lift.overall)}."
        )


_WORDS = {
    "no_description": "has no description",
    "same_as_siblings": "says the same as",
    "requests_elsewhere": "half of its requests or more lead elsewhere",
}


def _rate(found: "Findability") -> str:
    return f"{found.found} of {found.requests} requests (mean of 1 / place {found.reciprocal:.2f})"


def _print_json(
    found: "Examination", texts: Mapping[str, str], refused: Mapping[str, str], lift: "Lift"
) -> None:
    import json
    from dataclasses import asdict

    sick = [
        {
            **asdict(one),
            "proposed": texts.get(one.tool),
            "refused": refused.get(one.tool, ""),
            "after": asdict(lift.tools[one.tool]) if one.tool in texts else None,
        }
        for one in found.sick
    ]
    overall = {"now": asdict(found.now), "after": asdict(lift.overall)}
    write_json(
        json.dumps({"tools": found.tools, "measured": found.measured, **overall, "sick": sick}, indent=2)
    )
