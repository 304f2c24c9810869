"""Load the Cypher files. The rules they follow are in cypher/README.md."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from importlib.resources.abc import Traversable

from app.domain.models import EdgeForm, EdgeKind, NodeKind
from app.errors import StatementError

NODE_KINDS = (
    NodeKind.TOOL,
    NodeKind.GENERATOR,
    NodeKind.METHOD,
    NodeKind.CATEGORY,
    NodeKind.CONCEPT,
    NodeKind.TEMPLATE,
    NodeKind.EXAMPLE,
    NodeKind.WORKFLOW,
)
"""Kinds of nodes that have statements."""

EDGE_FORMS = (
    EdgeForm(NodeKind.METHOD, EdgeKind.IMPLEMENTS, NodeKind.TOOL),
    EdgeForm(NodeKind.TEMPLATE, EdgeKind.USES, NodeKind.TOOL),
    EdgeForm(NodeKind.TEMPLATE, EdgeKind.USES, NodeKind.METHOD),
    EdgeForm(NodeKind.GENERATOR, EdgeKind.USES, NodeKind.TOOL),
    EdgeForm(NodeKind.CONCEPT, EdgeKind.RELATED_TO, NodeKind.METHOD),
    EdgeForm(NodeKind.METHOD, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE),
    EdgeForm(NodeKind.METHOD, EdgeKind.BELONGS_TO, NodeKind.CATEGORY),
    EdgeForm(NodeKind.TOOL, EdgeKind.BELONGS_TO, NodeKind.CATEGORY),
    EdgeForm(NodeKind.TOOL, EdgeKind.PART_OF, NodeKind.TEMPLATE),
    EdgeForm(NodeKind.METHOD, EdgeKind.ALTERNATIVE, NodeKind.METHOD),
    EdgeForm(NodeKind.METHOD, EdgeKind.ENHANCES, NodeKind.METHOD),
    EdgeForm(NodeKind.METHOD, EdgeKind.REQUIRES, NodeKind.METHOD),
    EdgeForm(NodeKind.METHOD, EdgeKind.PRECEDES, NodeKind.METHOD),
    EdgeForm(NodeKind.TOOL, EdgeKind.REQUIRES, NodeKind.TOOL),
    EdgeForm(NodeKind.TOOL, EdgeKind.PRECEDES, NodeKind.TOOL),
    EdgeForm(NodeKind.TOOL, EdgeKind.SIMILAR, NodeKind.TOOL),
    EdgeForm(NodeKind.GENERATOR, EdgeKind.SIMILAR, NodeKind.GENERATOR),
    EdgeForm(NodeKind.METHOD, EdgeKind.SIMILAR, NodeKind.METHOD),
    EdgeForm(NodeKind.CONCEPT, EdgeKind.SIMILAR, NodeKind.CONCEPT),
    EdgeForm(NodeKind.TEMPLATE, EdgeKind.SIMILAR, NodeKind.TEMPLATE),
    EdgeForm(NodeKind.EXAMPLE, EdgeKind.SIMILAR, NodeKind.EXAMPLE),
    EdgeForm(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.TOOL),
    EdgeForm(NodeKind.WORKFLOW, EdgeKind.STEP, NodeKind.WORKFLOW),
)
"""Forms of edges that have statements; nothing else can be written."""

_PARAMETER = re.compile(r"\$(\w+)")
_COMMENT = "//"


@dataclass(frozen=True, slots=True)
class Statement:
    """One Cypher statement and the contract in its header."""

    name: str
    text: str
    params: frozenset[str]
    returns: tuple[str, ...]
    rows: frozenset[str]
    """What each element of the parameter `rows` has."""
    edges: frozenset[str]
    """What each element of a row's `edges` has."""


@dataclass(frozen=True, slots=True)
class NodeStatements:
    """The statements of one kind of node."""

    put_nodes: Statement
    remove_nodes: Statement
    put_provisions: Statement
    remove_provisions: Statement
    list_names: Statement
    find_providers: Statement


@dataclass(frozen=True, slots=True)
class EdgeStatements:
    """The statements of one form of edge."""

    put: Statement
    list: Statement


@dataclass(frozen=True, slots=True)
class Statements:
    """Every statement that the store runs; one field per file, named as the file, and one table per label or form."""

    count_provisions: Statement
    find_auto_scores: Statement
    find_call_target: Statement
    find_definitions: Statement
    find_kg_hybrid_scores: Statement
    find_neighbours: Statement
    find_nodes: Statement
    find_precedences: Statement
    find_prerequisites: Statement
    find_requirements: Statement
    find_server_tools: Statement
    find_state: Statement
    find_syncs: Statement
    find_tool_edges: Statement
    find_tool_sources: Statement
    find_tools: Statement
    find_workflows: Statement
    list_categories: Statement
    list_concepts: Statement
    list_examples: Statement
    list_generators: Statement
    list_methods: Statement
    list_precedences: Statement
    list_provisions: Statement
    list_requirements: Statement
    list_sources: Statement
    list_templates: Statement
    list_tool_ids: Statement
    list_tools: Statement
    list_unconfirmed_tools: Statement
    list_workflows: Statement
    ping: Statement
    put_catalog: Statement
    put_lease: Statement
    put_lease_renewal: Statement
    put_next_generation: Statement
    put_schema_version: Statement
    put_sources: Statement
    put_syncs: Statement
    put_tool_ids: Statement
    put_writing_mark: Statement
    remove_lease: Statement
    remove_sources: Statement
    remove_syncs: Statement
    remove_tool_references: Statement
    remove_unconfirmed: Statement

    nodes: Mapping[NodeKind, NodeStatements]
    """`put_tool_nodes.cypher` and the like."""
    edges: Mapping[EdgeForm, EdgeStatements]
    """`put_method_implements_tool.cypher` and the like."""
    remove_edges: Mapping[NodeKind, Statement]
    """`remove_method_edges.cypher` and the like, by the kind of node that the edges leave."""
    remove_inferred: Mapping[NodeKind, Statement]
    """`remove_method_inferred.cypher` and the like, by the kind of node that the edges leave."""


_TABLES = ("nodes", "edges", "remove_edges", "remove_inferred")


def cypher_folder() -> Traversable:
    """The folder of the statements, in a checkout as in an installed wheel."""
    return files("cypher")


def load_statements(root: Traversable | None = None) -> Statements:
    """Read the files of `root`/read and `root`/write; `root` is the package's own folder unless given.

    Raises:
        StatementError: a field, label or form has no file, a file has none of them,
            or a file breaks the header rules.
    """
    root = root or cypher_folder()
    found = {
        statement.name: statement
        for folder in ("read", "write")
        for statement in map(parse_statement, cypher_files(root / folder))
    }
    taken: set[str] = set()

    def take(name: str) -> Statement:
        if name not in found:
            raise StatementError(f"{root}: no file {name}.cypher in read or write")
        taken.add(name)
        return found[name]

    statements = Statements(
        **{field.name: take(field.name) for field in fields(Statements) if field.name not in _TABLES},
        nodes={
            kind: NodeStatements(
                **{field.name: take(_node_file(field.name, kind)) for field in fields(NodeStatements)}
            )
            for kind in NODE_KINDS
        },
        edges={
            form: EdgeStatements(
                **{field.name: take(f"{field.name}_{form_slug(form)}") for field in fields(EdgeStatements)}
            )
            for form in EDGE_FORMS
        },
        remove_edges={kind: take(f"remove_{kind.lower()}_edges") for kind in edge_sources()},
        remove_inferred={kind: take(f"remove_{kind.lower()}_inferred") for kind in edge_sources()},
    )
    if unused := sorted(found.keys() - taken):
        raise StatementError(f"{root}: no field, label or form uses {', '.join(unused)}")
    return statements


def form_slug(form: EdgeForm) -> str:
    """`method_implements_tool`: a form as the names of its files say it."""
    return f"{form.source}_{form.kind}_{form.target}".lower()


def edge_sources() -> list[NodeKind]:
    """Kinds of nodes that edges may leave."""
    return sorted({form.source for form in EDGE_FORMS})


def _node_file(field: str, kind: NodeKind) -> str:
    verb, _, noun = field.partition("_")
    return f"{verb}_{kind.lower()}_{noun}"


def cypher_files(folder: Traversable) -> list[Traversable]:
    """The `.cypher` files of a folder, by name; none when there is no such folder."""
    if not folder.is_dir():
        return []
    return sorted((f for f in folder.iterdir() if f.name.endswith(".cypher")), key=lambda f: f.name)


def parse_statement(path: Traversable) -> Statement:
    """Read one file and check its header against its body.

    Raises:
        StatementError: no sentence, no `params` or `returns` line, or `params`, `rows` or `edges` are not
            what the body uses.
    """
    header, body = _split(path)
    statement = Statement(
        name=path.name.removesuffix(".cypher"),
        text=body,
        params=frozenset(_names(path, header, "params", required=True)),
        returns=_names(path, header, "returns", required=True),
        rows=frozenset(_names(path, header, "rows")),
        edges=frozenset(_names(path, header, "edges")),
    )
    if not header[0] or ":" in header[0].split()[0]:
        raise StatementError(f"{path}: the header does not begin with a sentence")
    _compare(path, "params", statement.params, _PARAMETER.findall(body))
    _compare(path, "rows", statement.rows, re.findall(r"\brow\.(\w+)", body))
    _compare(path, "edges", statement.edges, re.findall(r"\bedge\.(\w+)", body) if statement.edges else ())
    return statement


def split_statements(path: Traversable) -> list[str]:
    """The statements of a schema file; each ends with a semicolon at the end of a line.

    Raises:
        StatementError: the last one has no semicolon, or there is none at all.
    """
    _, body = _split(path)
    *statements, rest = re.split(r";\s*(?:\n|$)", body)
    if rest.strip() or not statements:
        raise StatementError(f"{path}: every statement ends with a semicolon at the end of a line")
    return [statement.strip() for statement in statements]


def _split(path: Traversable) -> tuple[list[str], str]:
    """Header lines without their slashes, and the body."""
    lines = path.read_text(encoding="utf-8").splitlines()
    header = [line.removeprefix(_COMMENT).strip() for line in lines if line.startswith(_COMMENT)]
    body = "\n".join(line for line in lines if not line.startswith(_COMMENT)).strip()
    if not header or not body:
        raise StatementError(f"{path}: needs a header of // lines and a statement")
    return header, body


def _names(path: Traversable, header: list[str], key: str, *, required: bool = False) -> tuple[str, ...]:
    for line in header:
        if line.startswith(f"{key}:"):
            return tuple(re.findall(r"\w+", line.removeprefix(f"{key}:")))
    if required:
        raise StatementError(f"{path}: the header has no {key!r} line")
    return ()


def _compare(path: Traversable, key: str, declared: frozenset[str], used: "list[str] | tuple[()]") -> None:
    if declared != frozenset(used):
        raise StatementError(
            f"{path}: header declares {key} {sorted(declared)}, body uses {sorted(set(used))}"
        )
