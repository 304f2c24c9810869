"""Composition shared by the commands, ingest and the service: settings in, open adapters out.

Adapters are imported where they are opened, so that `--help` does not wait for a database driver.
"""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from pydantic import ValidationError
from pydantic_settings import SettingsError

from app.errors import InvalidInputError
from app.roots.encoders import open_encoder
from app.settings import Settings

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from app.adapters.graph.store import GraphStore
    from app.adapters.mcp.client import McpClient
    from app.usecases.index.search_index import SearchIndex

_log = logging.getLogger(__name__)
_ENCODED_AT_ONCE = 500
"""Texts that one question may wait for: three seconds on one core."""


@contextmanager
def open_graph(settings: Settings) -> Iterator["GraphStore"]:
    """The graph that the settings name: the Neo4j of `neo4j_uri`, else the embedded engine in `data_dir`.

    The store lives through a restart of either; an embedded engine that died is started again.

    Raises:
        StoreUnavailableError: the Neo4j does not answer or refuses the credentials, or the embedded
            engine cannot be started.
    """
    from app.adapters.graph.bolt_address import BoltAddress
    from app.adapters.graph.store import GraphEngine, GraphStore

    with ExitStack() as stack:
        if settings.neo4j_uri:
            address = BoltAddress(
                uri=settings.neo4j_uri,
                username=settings.neo4j_username,
                password=settings.neo4j_password,
                database=settings.neo4j_database,
            )
            if address.is_clear:
                _log.warning(
                    "NEO4J_URI = %s sends the password unencrypted to another machine; bolt+s:// and neo4j+s:// use"
                    " TLS, bolt+ssc:// and neo4j+ssc:// accept a certificate that nobody has signed",
                    address.uri,
                )
            connect, kind = (lambda: address), GraphEngine.NEO4J
        else:
            from app.adapters.engine.embedded import EmbeddedEngine

            engine = EmbeddedEngine(settings.data_dir, linger_s=settings.engine_linger_s)
            stack.enter_context(engine)
            connect, kind = engine.open, GraphEngine.EMBEDDED
        yield stack.enter_context(GraphStore(connect, engine=kind, query_timeout_s=settings.query_timeout_s))


@contextmanager
def open_index(settings: Settings) -> Iterator[tuple["GraphStore", "SearchIndex"]]:
    """The graph, and the index of what it holds now, for one question.

    Raises:
        StoreUnavailableError: the graph database does not answer.
        NotReadyError: an ingest is at work.
    """
    with open_graph(settings) as graph:
        yield graph, read_index(graph, settings)


def read_index(graph: "GraphStore", settings: Settings) -> "SearchIndex":
    """The index of what the graph holds now, also of what a killed ingest left there.

    Raises:
        InvalidInputError: OUTFITTER_ENCODER_MODEL is no folder with a model.
    """
    from app.usecases.index.search_index import SearchIndex

    catalogue = graph.catalogue(accept_unfinished=True)
    index = SearchIndex.build(catalogue)
    encoder = open_encoder(settings)
    left = encoder.attach(index, at_once=_ENCODED_AT_ONCE) if encoder is not None else 0
    if left:
        _log.warning(
            "%d tools are ranked by words alone: the service encodes them, and keeps that for commands", left
        )
    return index


def open_mcp_client(settings: Settings) -> "McpClient":
    """Who asks MCP servers, within the limits of the settings; to be entered."""
    from app.adapters.mcp.client import McpClient
    from app.domain.calling.mcp_endpoints import McpLimits

    return McpClient(
        McpLimits(
            connect_s=settings.mcp_connect_s,
            total_s=settings.mcp_server_s,
            max_pages=settings.mcp_max_pages,
            max_tools=settings.mcp_max_tools,
            max_bytes=settings.max_file_bytes,
            at_once=settings.mcp_at_once,
        )
    )


def read_settings(**options: object) -> Settings:
    """The settings of the environment; options that are not None go before them.

    Raises:
        InvalidInputError: a value is not what is accepted; the message names the variable.
    """
    try:
        return Settings(**{name: value for name, value in options.items() if value is not None})  # type: ignore[arg-type]
    except SettingsError as error:
        raise InvalidInputError(f"settings: {error}; accepted: JSON for lists") from error
    except ValidationError as error:
        raise InvalidInputError("; ".join(_setting_error(found) for found in error.errors())) from error


def _setting_error(found: "ErrorDetails") -> str:
    name = str(found["loc"][0]).upper()
    variable = name if name.startswith("NEO4J_") else f"OUTFITTER_{name}"
    return f"{variable} = {found['input']!r}: {found['msg']}"
