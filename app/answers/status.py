"""How the service and the graph are, for whoever runs them."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

_UTC = "UTC, ISO 8601."


class LeaseStatus(BaseModel):
    """Who may write to the graph now."""

    owner: Annotated[str, Field(examples=["ingest-1@5f0c1b2a9d3e:4711:9c2e41aa"])]
    until: Annotated[str, Field(description=f"Unless it is renewed; {_UTC}")]


class WatchedSourceStatus(BaseModel):
    """A source that the service follows."""

    source: Annotated[str, Field(examples=["mcp:github"])]
    next_look_at: Annotated[
        str | None, Field(description=f"At the latest; {_UTC} null while it is being read or written.")
    ]
    failures: Annotated[int, Field(description="In a row.")]
    reports_changes: Annotated[
        bool, Field(description="Its server says when something changes; a file is looked at all the time.")
    ]


class MeaningStatus(BaseModel):
    """How far tools are ranked by meaning beside words."""

    model: Annotated[str, Field(examples=["onnx:minilm:04b90828105be8ca"])]
    encoded: Annotated[int, Field(description="Tools that have a vector; words rank the others meanwhile.")]


class AccessStatus(BaseModel):
    """How old what says who may ask and see what is, and what waits for a decision."""

    callers_read_at: Annotated[
        str | None, Field(description=f"Since when the file of callers counts as it is; {_UTC}")
    ]
    policies_read_at: Annotated[
        str | None, Field(description=f"Since when the file of policies counts as it is; {_UTC}")
    ]
    keys_read_at: Annotated[
        str | None, Field(description=f"When the keys of the issuer were read last; {_UTC} null: never.")
    ]
    reviews_waiting: Annotated[
        int | None, Field(description="Definitions that wait for a decision; null while the graph is away.")
    ]


class StatusAnswer(BaseModel):
    """How the service and the graph are."""

    status: Annotated[
        Literal["ready", "degraded", "starting"],
        Field(description="As `GET /readyz` says; `degraded`: the graph database is away."),
    ]
    problem: Annotated[str, Field(description="What is wrong; empty when all is well.")]
    generation: Annotated[
        int | None, Field(description="The one that answers come from; null while starting.")
    ]
    tools: int | None
    snapshot_age_s: Annotated[
        float | None, Field(description="Seconds since the service took that generation in.")
    ]
    from_memory: Annotated[
        bool,
        Field(
            description="Answers do without the graph now: it is away, being written, or of another generation."
        ),
    ]
    meaning: Annotated[
        MeaningStatus | None, Field(description="Null while starting, and where the encoder is off.")
    ]
    graph: Literal["reachable", "unreachable"]
    graph_generation: Annotated[int | None, Field(description="The graph's own; null while it is away.")]
    graph_generation_at: Annotated[
        str | None,
        Field(
            description=f"Since when it has that generation; {_UTC} null when it is away, or does not say."
        ),
    ]
    writing: Annotated[bool, Field(description="An ingest is at work, or was killed before its end.")]
    lease: Annotated[LeaseStatus | None, Field(description="Who may write now; null: nobody does.")]
    watched: Annotated[
        list[WatchedSourceStatus] | None,
        Field(description="By id; null when the service watches no sources."),
    ]
    access: Annotated[
        AccessStatus | None,
        Field(description="For `catalogue:admin`, where there are callers or an issuer; else null."),
    ] = None
