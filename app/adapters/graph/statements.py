"""Load the Cypher files. The rules they follow are in cypher/README.md.

`python -m app.adapters.graph.statements` prints every statement as it is sent, under its name and that of its file.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from app.domain.nodes.edge_forms import EDGE_FORMS, EdgeProperty
from app.domain.nodes.models import EdgeForm, NodeKind
from app.errors import StatementError

FOLDERS = ("read", "write", "families")
"""Folders of the statements that the store runs; their files lie in them at any depth."""

_LABEL = re.compile(r"[A-Z][A-Za-z]*")
_PLACEHOLDERS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "LABEL": _LABEL,
        "SOURCE": _LABEL,
        "TYPE": re.compile(r"[A-Z]+(_[A-Z]+)*"),
        "TARGET": _LABEL,
        "PROPERTIES": re.compile(r"([a-z_]+(, [a-z_]+)*)?"),
    }
)
"""What the files of families leave open, and the form of what is filled in: values of our own enumerations."""
_OPEN = re.compile(r"\{([A-Z]+)\}")
_PARAMETER = re.compile(r"\$(\w+)")
_COMMENT = "//"


@dataclass(frozen=True, slots=True)
class Statement:
    """One Cypher statement and the contract in its header."""

    name: str
    file: str
    """Name of its file; that of a family has many statements."""
    text: str
    params: frozenset[str]
    returns: tuple[str, ...]
    rows: frozenset[str]
    """What each element of the parameter `rows` has."""
    edges: frozenset[str]
    """What each element of a row's `edges` has."""


@dataclass(frozen=True, slots=True)
class NodeStatements:
    """The statements of one kind of node: `put_nodes` is from the family `put_LABEL_nodes`, and so on."""

    put_nodes: Statement
    remove_nodes: Statement
    put_provisions: Statement
    remove_provisions: Statement
    list_names: Statement
    find_names: Statement
    find_providers: Statement
    find_neighbours: Statement
    find_contents: Statement
    find_leaving: Statement
    find_stated: Statement
    find_surroundings: Statement


@dataclass(frozen=True, slots=True)
class EdgeStatements:
    """The statements of one form of edge."""

    put: Statement
    list: Statement


@dataclass(frozen=True, slots=True)
class Statements:
    """Every statement that the store runs; one field per file, named as the file, and four tables of families."""

    count_provisions: Statement
    find_provision_counts: Statement
    find_auto_scores: Statement
    find_call_target: Statement
    find_categories: Statement
    find_concepts: Statement
    find_definitions: Statement
    find_example_methods: Statement
    find_generators: Statement
    find_kg_hybrid_scores: Statement
    find_methods: Statement
    find_nodes: Statement
    find_precedences: Statement
    find_idle_methods: Statement
    find_labels: Statement
    find_idle_requests: Statement
    find_refuted_methods: Statement
    find_requests: Statement
    find_requirements: Statement
    find_restoration: Statement
    find_server_tools: Statement
    find_state: Statement
    find_status: Statement
    find_suggestions: Statement
    find_syncs: Statement
    find_templates: Statement
    find_tool_edges: Statement
    find_tool_sources: Statement
    find_tools: Statement
    find_vetoes: Statement
    find_workflows: Statement
    list_audit_heads: Statement
    list_categories: Statement
    list_concepts: Statement
    list_examples: Statement
    list_generations: Statement
    list_generators: Statement
    list_methods: Statement
    list_precedences: Statement
    list_provisions: Statement
    list_requests: Statement
    list_requirements: Statement
    list_reviews: Statement
    find_reviews: Statement
    find_source_reviews: Statement
    list_sources: Statement
    list_unhealthy_sources: Statement
    find_sources: Statement
    list_templates: Statement
    list_syncs: Statement
    list_tool_ids: Statement
    list_labels: Statement
    list_tools: Statement
    count_tools: Statement
    list_unconfirmed_tools: Statement
    list_unmet: Statement
    list_workflows: Statement
    ping: Statement
    put_audit_head: Statement
    put_catalog: Statement
    put_lease: Statement
    put_lease_renewal: Statement
    put_next_generation: Statement
    put_restoration: Statement
    put_reviews: Statement
    put_schema_version: Statement
    put_sources: Statement
    put_syncs: Statement
    put_tool_ids: Statement
    put_unmet: Statement
    put_writing_mark: Statement
    remove_lease: Statement
    remove_reviews: Statement
    remove_sources: Statement
    remove_syncs: Statement
    remove_tool_references: Statement
    remove_unconfirmed: Statement
    remove_unmet: Statement
    remove_unmet_before: Statement
    remove_unmet_beyond: Statement

    nodes: Mapping[NodeKind, NodeStatements]
    edges: Mapping[EdgeForm, EdgeStatements]
    remove_edges: Mapping[NodeKind, Statement]
    """By the kind of node that the edges leave."""
    remove_inferred: Mapping[NodeKind, Statement]
    """By the kind of node that the edges leave."""

    def __iter__(self) -> Iterator[Statement]:
        """Every statement once: fields first, then tables."""
        yield from (getattr(self, name) for name in _FIELDS)
        for nodes in self.nodes.values():
            yield from (getattr(nodes, field.name) for field in fields(nodes))
        for edges in self.edges.values():
            yield from (edges.put, edges.list)
        yield from self.remove_edges.values()
        yield from self.remove_inferred.values()


_TABLES = ("nodes", "edges", "remove_edges", "remove_inferred")
_FIELDS = tuple(field.name for field in fields(Statements) if field.name not in _TABLES)


def cypher_folder() -> Traversable:
    """The folder of the statements, in a checkout as in an installed wheel."""
    return files("cypher")


def load_statements(root: Traversable | None = None) -> Statements:
    """Read the files of `root`/read, write and families; `root` is the package's own folder unless given.

    Raises:
        StatementError: a field, label or form has no file, a file has none of them, two files have one name,
            or a file breaks the rules of headers and placeholders.
    """
    found = _Files(root or cypher_folder())
    sources = sorted({form.source for form in EDGE_FORMS})
    statements = Statements(
        **{name: found.take(name) for name in _FIELDS},
        nodes={kind: _node_statements(found, kind) for kind in NodeKind},
        edges={form: _edge_statements(found, form) for form in EDGE_FORMS},
        remove_edges={kind: found.fill("remove_LABEL_edges", LABEL=kind) for kind in sources},
        remove_inferred={kind: found.fill("remove_LABEL_inferred", LABEL=kind) for kind in sources},
    )
    found.refuse_unused()
    return statements


def _node_statements(found: "_Files", kind: NodeKind) -> NodeStatements:
    families = {field.name: field.name.replace("_", "_LABEL_", 1) for field in fields(NodeStatements)}
    return NodeStatements(**{name: found.fill(family, LABEL=kind) for name, family in families.items()})


def _edge_statements(found: "_Files", form: EdgeForm) -> EdgeStatements:
    ends = {"SOURCE": form.source, "TYPE": form.kind, "TARGET": form.target}
    carried = EDGE_FORMS[form].properties
    # What a list gives, and whether it can tell stated edges from inferred ones, depends on what its edges carry.
    read = (EdgeProperty.EVIDENCE, EdgeProperty.POSITION, EdgeProperty.WEIGHT)
    listed = "_".join(one for one in read if one in carried)
    return EdgeStatements(
        put=found.fill("put_SOURCE_TYPE_TARGET", **ends, PROPERTIES=", ".join(carried)),
        list=found.fill("list_SOURCE_TYPE_TARGET" + (f"_with_{listed}" if listed else ""), **ends),
    )


class _Files:
    """The files of statements, by name; each is there for somebody."""

    def __init__(self, root: Traversable) -> None:
        self._root = root
        self._paths: dict[str, Traversable] = {}
        for path in (path for folder in FOLDERS for path in cypher_files(root / folder)):
            name = path.name.removesuffix(".cypher")
            if name in self._paths:
                raise StatementError(f"{root}: {self._paths[name]} and {path} have one name")
            self._paths[name] = path
        self._taken: set[str] = set()

    def take(self, name: str) -> Statement:
        """The statement of the file with this name."""
        return parse_statement(self._path(name))

    def fill(self, family: str, **values: str) -> Statement:
        """The statement of a family for these values; a file that is named for them goes before the family's."""
        name = _OF_NAME.sub(lambda found: values[found.group()].lower(), family)
        return self.take(name) if name in self._paths else parse_statement(self._path(family), name, values)

    def refuse_unused(self) -> None:
        """Raise a StatementError when a file was not asked for."""
        if unused := sorted(self._paths.keys() - self._taken):
            raise StatementError(f"{self._root}: no field, label or form uses {', '.join(unused)}")

    def _path(self, name: str) -> Traversable:
        if name not in self._paths:
            raise StatementError(f"{self._root}: no file {name}.cypher in {', '.join(FOLDERS)}")
        self._taken.add(name)
        return self._paths[name]


_OF_NAME = re.compile("LABEL|SOURCE|TYPE|TARGET")


def cypher_files(folder: Traversable) -> list[Traversable]:
    """The `.cypher` files in a folder and in its folders, by name; none when there is no such folder."""
    if not folder.is_dir():
        return []
    found = [path for path in folder.iterdir() if path.name.endswith(".cypher")]
    found += [path for inner in folder.iterdir() for path in cypher_files(inner)]
    return sorted(found, key=lambda path: path.name)


def parse_statement(
    path: Traversable, name: str = "", values: Mapping[str, str] = MappingProxyType({})
) -> Statement:
    """Read one file and check its header against its body.

    Args:
        path: the file.
        name: what the statement is called; as the file unless given.
        values: what is filled in for each placeholder of a family.

    Raises:
        StatementError: no sentence, no `params` or `returns` line, or `params`, `rows` or `edges` are not
            what the body uses; a placeholder that is not filled, or none where the file's name has one.
    """
    header, body = _filled(path, *_split(path), values)
    statement = Statement(
        name=name or path.name.removesuffix(".cypher"),
        file=path.name,
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
        StatementError: the last one has no semicolon, or the file has no statement.
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


def _filled(
    path: Traversable, header: list[str], body: str, values: Mapping[str, str]
) -> tuple[list[str], str]:
    """Header and body with values for placeholders; properties are names in the header, a map in the body."""
    for placeholder, value in values.items():
        accepted = _PLACEHOLDERS[placeholder]
        if not accepted.fullmatch(value):
            raise StatementError(
                f"{path}: {{{placeholder}}} cannot be {value!r}; accepted: {accepted.pattern}"
            )
    used, named = set(_OPEN.findall(body)), set(_OF_NAME.findall(path.name))
    if not named <= used <= values.keys():
        raise StatementError(
            f"{path}: the body has the placeholders {sorted(used)}, the name {sorted(named)};"
            f" filled are {sorted(values)}"
        )
    in_body = dict(values)
    if carried := values.get("PROPERTIES"):
        in_body["PROPERTIES"] = " {" + ", ".join(f"{one}: edge.{one}" for one in carried.split(", ")) + "}"
    return [_fill(line, values) for line in header], _fill(body, in_body)


def _fill(text: str, values: Mapping[str, str]) -> str:
    return _OPEN.sub(lambda found: values.get(found.group(1), found.group()), text)


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


if __name__ == "__main__":
    for one in load_statements():
        sys.stdout.write(f"// {one.name}, from {one.file}\n{one.text};\n\n")
