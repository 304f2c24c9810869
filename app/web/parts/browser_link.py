"""A view of the graph as a query for Neo4j Browser, and the address that opens it there."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from app.domain.calling.addresses import is_loopback_name
from app.domain.nodes.graph_views import NodeRef
from app.domain.nodes.models import EdgeKind, NodeKind

_PORT = 7474
"""Where Neo4j serves its Browser unless it is configured otherwise."""
_PLAIN = frozenset(" !#$%&()*+,-./:;<=>?@[]^_{|}~")


@dataclass(frozen=True, slots=True)
class Neo4jLink:
    """Where a graph can be looked at with Neo4j Browser."""

    browser: str
    """Address of the Browser."""
    dbms: str
    """Bolt address, without a user."""
    database: str


def cypher_literal(text: str) -> str:
    """A text as a Cypher string; every character that is no letter, digit or harmless sign is escaped by number."""
    return "'" + "".join(map(_escaped, text)) + "'"


def view_query(nodes: Iterable[NodeRef], kinds: Iterable[EdgeKind], *, min_confidence: float) -> str:
    """A query that gives these nodes, and the edges of these kinds between them that are sure enough."""
    ids: defaultdict[NodeKind, list[str]] = defaultdict(list)
    for node in sorted(set(nodes)):
        # A generator is a tool as well; either label finds it.
        ids[node.kind].append(cypher_literal(node.id))
    types = "|".join(sorted(kinds))
    found = " UNION ".join(
        f"MATCH (node:{kind.value}) WHERE node.id IN [{', '.join(listed)}] RETURN node"
        for kind, listed in sorted(ids.items())
    )
    return (
        f"CALL () {{ {found} }} WITH collect(node) AS nodes UNWIND nodes AS node"
        f" OPTIONAL MATCH (node)-[edge:{types}]->(other) WHERE other IN nodes"
        f" AND coalesce(edge.confidence, 1.0) >= {float(min_confidence):g} RETURN node, edge, other"
    )


def browser_address(neo4j: Neo4jLink, query: str) -> str:
    """The address of Neo4j Browser with a query in its editor; it names neither user nor password."""
    said = urlencode({"dbms": neo4j.dbms, "db": neo4j.database, "cmd": "edit", "arg": query})
    return f"{neo4j.browser.rstrip('/')}/?{said}"


def neo4j_link(uri: str | None, database: str, browser: str | None) -> Neo4jLink | None:
    """The link for a graph in a Neo4j; None where it is in the embedded engine, or nobody said where the Browser is.

    Args:
        uri: Bolt address of the settings.
        database: its name.
        browser: address of the Browser; of a Neo4j on loopback the usual one unless given.
    """
    if not uri:
        return None
    address = browser or default_browser(uri)
    return Neo4jLink(address, plain_uri(uri), database) if address else None


def default_browser(uri: str) -> str:
    """Where the Browser of a Neo4j is: of one on loopback by its usual port; empty for another, which has to be set."""
    host = urlsplit(uri).hostname or ""
    if not is_loopback_name(host):
        return ""
    return f"http://{f'[{host}]' if ':' in host else host}:{_PORT}/browser"


def plain_uri(uri: str) -> str:
    """A Bolt address without what it may say of a user."""
    parts = urlsplit(uri)
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}:{parts.port}" if parts.port else f"{parts.scheme}://{shown}"


def _escaped(character: str) -> str:
    if (character.isalnum() and character.isascii()) or character in _PLAIN:
        return character
    # Cypher reads \\uXXXX, of what lies beyond as two halves.
    halves = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{halves[at]:02x}{halves[at + 1]:02x}" for at in range(0, len(halves), 2))
