"""One text serves every label, and every form of edge: what is filled in, and what is refused."""

import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from app.adapters.graph.statements import FOLDERS, Statement, load_statements, parse_statement
from app.domain.nodes.edge_forms import EDGE_FORMS, inferred_evidence
from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind
from app.errors import StatementError

CYPHER = Path(str(files("cypher")))
STATEMENTS = load_statements()
LIST = "// Asks.\n// params:\n// returns: id\nMATCH (node:{LABEL}) RETURN node.id AS id\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the statements that a test may spoil."""
    for name in FOLDERS:
        shutil.copytree(CYPHER / name, tmp_path / name)
    return tmp_path


def _slug(form: EdgeForm) -> str:
    return f"{form.source}-{form.kind}-{form.target}"


@pytest.mark.parametrize("kind", NodeKind)
def test_the_statements_of_a_kind_of_node_are_about_its_label(kind: NodeKind) -> None:
    """A generator is a tool too, so its nodes get both labels; the names of tools leave generators out."""
    own = STATEMENTS.nodes[kind]
    plain = (own.remove_nodes, own.put_provisions, own.remove_provisions, own.find_providers)

    assert [_labels(one) for one in plain] == [{kind}] * len(plain)
    assert _labels(own.put_nodes) == ({kind, "Tool"} if kind is NodeKind.GENERATOR else {kind})
    assert _labels(own.list_names) == ({kind, "Generator"} if kind is NodeKind.TOOL else {kind})
    assert [one.name for one in (own.put_nodes, own.list_names)] == [
        f"put_{kind.lower()}_nodes",
        f"list_{kind.lower()}_names",
    ]


@pytest.mark.parametrize("form", EDGE_FORMS, ids=_slug)
def test_the_statements_of_a_form_join_its_labels_by_its_type(form: EdgeForm) -> None:
    """What is written is read back: the same ends, the same type."""
    own = STATEMENTS.edges[form]
    put = r"\(source:(\w+) .*\(target:(\w+) .*CREATE \(source\)-\[:(\w+)[^]]*\]->\(target\)"
    listed = r"\(source:(\w+)\)-\[edge:(\w+)\]->\(target:(\w+)\)"

    assert re.findall(put, own.put.text, re.DOTALL) == [(form.source, form.target, form.kind)]
    assert re.findall(listed, own.list.text) == [(form.source, form.kind, form.target)]
    assert own.put.name == f"put_{form.source}_{form.kind}_{form.target}".lower()


@pytest.mark.parametrize("form", EDGE_FORMS, ids=_slug)
def test_what_an_edge_carries_decides_what_is_written_and_listed(form: EdgeForm) -> None:
    """Each property has its own name on the edge; edges that may be inferred can be told from stated ones."""
    own, carried = STATEMENTS.edges[form], set(EDGE_FORMS[form].properties)

    assert own.put.edges == carried | {"target"}
    assert set(re.findall(r"(\w+): edge\.(\w+)", own.put.text)) == {
        *((one, one) for one in carried),
        ("id", "target"),
    }
    assert ("positions" in own.list.returns) is ("position" in carried)
    assert ("weights" in own.list.returns) is ("weight" in carried)
    assert own.list.params == ({"stated", "inferred_evidence"} if "evidence" in carried else set())
    assert "evidence" in carried or not EDGE_FORMS[form].inferred
    assert inferred_evidence(form)


def test_edges_are_removed_from_every_kind_of_node_that_they_leave() -> None:
    """Stated ones before a node is written again, inferred ones as a difference."""
    sources = {form.source for form in EDGE_FORMS}

    for table in (STATEMENTS.remove_edges, STATEMENTS.remove_inferred):
        assert {kind: _labels(one) for kind, one in table.items()} == {kind: {kind} for kind in sources}


def test_no_statement_has_a_placeholder_left() -> None:
    """What reaches a database is complete, and another text for each label or form."""
    assert [
        one.name for one in STATEMENTS if re.search(r"\{\w+\}|\b(LABEL|SOURCE|TYPE|TARGET)\b", one.text)
    ] == []
    assert len({one.text for one in STATEMENTS}) == len(list(STATEMENTS))


@pytest.mark.parametrize("value", ["Tool) DETACH DELETE (x", "tool", "Tool`", "", "Tool:Generator", "Tool\n"])
def test_only_a_label_takes_the_place_of_a_label(tmp_path: Path, value: str) -> None:
    """Nothing but one of our names can become part of a statement."""
    path = tmp_path / "list_LABEL_names.cypher"
    path.write_text(LIST)

    assert ":Tool)" in parse_statement(path, "list_tool_names", {"LABEL": "Tool"}).text
    with pytest.raises(StatementError, match="accepted"):
        parse_statement(path, "list_x_names", {"LABEL": value})


def test_every_name_that_may_be_filled_in_is_accepted() -> None:
    """All kinds of nodes and edges have statements, so that each value of the enumerations was filled in."""
    assert set(STATEMENTS.nodes) == set(NodeKind)
    assert {form.kind for form in STATEMENTS.edges} == set(EdgeKind) - {EdgeKind.PROVIDED_BY}


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("families/list_LABEL_names.cypher", LIST.replace("{LABEL}", "Tool")),
        ("families/list_LABEL_names.cypher", LIST.replace("{LABEL}", "{TARGET}")),
        ("families/list_tool_names.cypher", LIST),
        ("read/list_tool_names.cypher", LIST),
    ],
)
def test_a_file_has_the_placeholders_of_its_name(folder: Path, place: str, text: str) -> None:
    """A family that forgets its label would give every kind the nodes of one; other files are complete."""
    (folder / "families" / "list_tool_names.cypher").unlink()
    (folder / place).write_text(text)

    with pytest.raises(StatementError, match="placeholders"):
        load_statements(folder)


def test_a_file_named_for_one_label_goes_before_the_family(folder: Path) -> None:
    """Where a label differs, it has a text of its own beside the family's."""
    text = (folder / "families" / "remove_LABEL_nodes.cypher").read_text()
    (folder / "families" / "remove_tool_nodes.cypher").write_text(text.replace("{LABEL}", "Tool"))

    nodes = load_statements(folder).nodes

    assert nodes[NodeKind.TOOL].remove_nodes.file == "remove_tool_nodes.cypher"
    assert nodes[NodeKind.METHOD].remove_nodes.file == "remove_LABEL_nodes.cypher"


def test_two_files_of_one_name_are_refused(folder: Path) -> None:
    """A name says which file it is, in whatever folder."""
    (folder / "write" / "elsewhere").mkdir()
    (ping,) = folder.rglob("ping.cypher")
    shutil.copy(ping, folder / "write" / "elsewhere")

    with pytest.raises(StatementError, match="one name"):
        load_statements(folder)


def test_the_command_prints_every_statement_as_it_is_sent() -> None:
    """What a family becomes can be read, and pasted."""
    command = [sys.executable, "-m", "app.adapters.graph.statements"]

    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout

    assert [
        one for one in STATEMENTS if f"// {one.name}, from {one.file}\n{one.text};\n" not in printed
    ] == []
    assert printed.count("\n// ") == len(list(STATEMENTS)) - 1


@pytest.mark.parametrize("folder_name", ["read", "write"])
def test_the_folders_are_a_table_of_contents(folder_name: str) -> None:
    """A statement lies in a folder named for what it is for, of at most fifteen, which the README names."""
    readme = (CYPHER / "README.md").read_text(encoding="utf-8")
    rooms = {path.parent for path in (CYPHER / folder_name).rglob("*.cypher")}

    assert CYPHER / folder_name not in rooms
    assert [room.name for room in rooms if f"| `{folder_name}/{room.name}/` |" not in readme] == []
    assert [room.name for room in rooms if len(list(room.glob("*.cypher"))) > 15] == []


def test_a_prefix_says_whether_a_statement_writes() -> None:
    """Reads run outside a transaction, so that one that wrote would write without the lease."""
    writes = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE)\b")

    assert {one.name.split("_")[0] for one in STATEMENTS} == {
        "find",
        "list",
        "count",
        "ping",
        "put",
        "remove",
    }
    assert {one.name for one in STATEMENTS if writes.search(one.text)} == {
        one.name for one in STATEMENTS if one.name.startswith(("put_", "remove_"))
    }


def _labels(statement: Statement) -> set[str]:
    """The labels that a statement names, but for the sources of provisions."""
    found = re.findall(r"\((?:\w+)((?::\w+)+)|\w+:(Generator)\b", statement.text)
    return {one for labels, other in found for one in (*labels.split(":"), other) if one} - {"Source"}
