"""docs/architecture.md against the imports: packages that are there, arrows that are there."""

import re
from graphlib import TopologicalSorter

from docs.generate.packages import COMPOSITION, FOUNDATION, imported_files, package_imports, without_implied
from tests.documents import DOCS, ROOT, code, section, table

TEXT = (DOCS / "architecture.md").read_text(encoding="utf-8")


def test_no_packages_import_each_other_in_a_circle() -> None:
    """A picture of the packages can be read from top to bottom."""
    TopologicalSorter(package_imports()).prepare()  # raises CycleError, with the circle


def test_every_package_is_described_and_every_described_package_is_there() -> None:
    """The table and the picture have the same packages; app/domain is in the table alone."""
    said = {code(row[0])[0] for row in table(section(TEXT, "Packages"))}

    there = {package for package in package_imports() if package not in FOUNDATION} | {"app/domain"}

    assert said == there
    assert COMPOSITION in said


def test_the_picture_has_no_arrow_that_a_longer_way_implies() -> None:
    """Worked by hand: a reaches c by b, so that a to c is left out; d is reached by one way only."""
    graph = {"a": {"b", "c", "d"}, "b": {"c"}, "c": set(), "d": set()}

    assert without_implied(graph) == [("a", "b"), ("a", "d"), ("b", "c")]


def test_the_way_of_a_query_follows_imports_and_ports() -> None:
    """Each solid arrow is an import, or a statement by its name; each dotted one a port that both ends know."""
    picture = TEXT.partition("<!-- query -->")[2].partition("<!-- /query -->")[0]
    files = dict(re.findall(r'(?m)^  (\w+)\["([\w./]+)', picture))
    solid = re.findall(r"(?m)^  (\w+) --> (\w+)$", picture)
    dotted = re.findall(r"(?m)^  (\w+) -\. (\w+) \.-> (\w+)$", picture)

    assert [path for path in files.values() if not (ROOT / path).is_file()] == []
    assert len(solid) + len(dotted) == len(re.findall(r"(?m)^  .*->", picture))
    for start, end in solid:
        path = ROOT / files[start]
        if files[end].endswith(".cypher"):
            assert (ROOT / files[end]).stem in path.read_text(encoding="utf-8")
        else:
            assert files[end] in {file.as_posix() for file in imported_files(path)}, (
                f"{files[start]} -> {files[end]}"
            )
    assert {port for _, port, _ in dotted} == {"serves", "RankedGraph"}
    for start, port, end in dotted:
        if port != "serves":
            ends = [set(map(str, imported_files(ROOT / files[name]))) for name in (start, end)]
            assert any(file.startswith("app/ports/") for file in ends[0] & ends[1]), (
                f"{files[start]}, {files[end]}"
            )
