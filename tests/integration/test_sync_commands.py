"""`outfitter sync`, `changes` and `sources` as a user has them."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from click.testing import Result

from app.domain.language.visible_text import has_hidden
from tests import lying_server
from tests.http_server import Asked, Handler, web_server
from tests.ingest_cases import Run, manifest, taxonomy, tool
from tests.lying_server import HOSTILE, lying_http

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def sources_file(folder: Path, *entries: dict[str, Any]) -> Path:
    """A sources file, written anew; JSON, which is YAML too."""
    path = folder / "sources.yaml"
    path.write_text(json.dumps({"sources": entries}))
    return path


def entry(kind: str, name: str, uri: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "kind": kind, "uri": uri, **more}


def statuses(result: Result) -> dict[str, str]:
    return {one["source"]: one["status"] for one in json.loads(result.stdout)["sources"]}


def listed(outfitter: Run) -> dict[str, dict[str, Any]]:
    return {one["source"]["id"]: one["source"] for one in json.loads(outfitter("sources", "--json").stdout)}


def test_the_example_is_synced_once_and_not_again(outfitter: Run, tmp_path: Path) -> None:
    """All kinds in one run; the second run has nothing to do."""
    examples = tmp_path / "examples"
    shutil.copytree(EXAMPLES, examples)

    first = outfitter("sync", examples / "sources.yaml", "--json")
    again = outfitter("sync", examples / "sources.yaml", "--json")

    assert (first.exit_code, set(statuses(first).values())) == (0, {"created"})
    assert (again.exit_code, set(statuses(again).values())) == (0, {"unchanged"})
    assert json.loads(again.stdout)["generation"] == json.loads(first.stdout)["generation"] == 1
    assert len(statuses(first)) == 8


def test_a_bad_source_stops_no_other_and_is_marked(outfitter: Run, tmp_path: Path) -> None:
    """Broken entries, missing variables, broken files: each is named, the exit status says so."""
    manifest(tmp_path, "good", tool("pay"))
    bad = manifest(tmp_path, "bad", tool("x")).path
    good = entry("manifest", "good", "good.json"), entry("manifest", "bad", "bad.json")
    assert outfitter("sync", sources_file(tmp_path, *good)).exit_code == 0
    bad.write_text("{")
    manifest(tmp_path, "good", tool("pay"), tool("refund"))
    secret = {"id": "s", "kind": "mcp", "command": "no-such-program", "env": {"TOKEN": "NO_SUCH_VARIABLE"}}
    file = sources_file(tmp_path, *good, secret, {"id": "t", "kind": "what"})

    result = outfitter("sync", file, "--json")

    assert result.exit_code == 1
    assert statuses(result) == {
        "manifest:good": "updated",
        "manifest:bad": "refused",
        "mcp:s": "refused",
        f"{file.resolve()}: sources[3] ('t')": "refused",
    }
    assert "NO_SUCH_VARIABLE" in result.stdout
    sources = listed(outfitter)
    assert (sources["manifest:bad"]["healthy"], sources["manifest:good"]["healthy"]) == (False, True)
    assert "not JSON" in sources["manifest:bad"]["problem"]
    table = outfitter("sources").stdout
    assert "not healthy manifest:bad" in table
    told = outfitter("changes", "manifest:bad")
    assert "failed" in told.stdout
    assert "not JSON" in told.stdout
    assert (sources["mcp:s"]["healthy"], "NO_SUCH_VARIABLE" in sources["mcp:s"]["problem"]) == (False, True)
    assert "failed" in outfitter("changes", "mcp:s").stdout

    again = outfitter("sync", sources_file(tmp_path, *good), "--json")

    assert (json.loads(again.stdout)["kept"], "mcp:s" in listed(outfitter)) == ([], False)


def test_what_servers_say_of_themselves_never_travels_raw(outfitter: Run, tmp_path: Path) -> None:
    """Reason phrases, error messages, stderr, redirects, versions: our words, theirs cut in a field of its own."""
    liar = str(Path(lying_server.__file__))

    def answer(handler: Handler, asked: Asked) -> None:
        handler.close_connection = True
        if asked.target == "/away":
            handler.reply(302, Location=f"http://127.0.0.1:{recorded.url.rpartition(':')[2]}/IGNORE-previous")
        else:
            handler.wfile.write(f"HTTP/1.1 500 {HOSTILE}\r\nContent-Length: 0\r\n\r\n".encode("latin-1"))

    with web_server(answer) as recorded, lying_http("hostile status") as (url, _):
        file = sources_file(
            tmp_path,
            entry("openapi", "status", f"{recorded.url}/api.json", allow_private=True),
            entry("openapi", "away", f"{recorded.url}/away", allow_private=True),
            entry("mcp", "http", url),
            *(
                {
                    "id": f"s-{mode}",
                    "kind": "mcp",
                    "command": sys.executable,
                    "args": [liar, f"hostile {mode}"],
                }
                for mode in ("error", "end")
            ),
            {"id": "version", "kind": "mcp", "command": sys.executable, "args": [liar, "hostile version"]},
        )
        report = outfitter("sync", file, "--json")
        again = outfitter("sync", file)

    assert statuses(report) == {
        "openapi:status": "refused",
        "openapi:away": "refused",
        "mcp:http": "refused",
        "mcp:s-error": "refused",
        "mcp:s-end": "refused",
        "mcp:version": "created",
    }
    sources = listed(outfitter)
    assert sources["openapi:status"]["problem"].endswith("answered 500")
    assert sources["openapi:away"]["problem"].endswith("/away: redirected: answered 500")
    assert "IGNORE-previous" in sources["openapi:away"]["problem_said"]
    assert "answered error -32603 (internal error)" in sources["mcp:s-error"]["problem"]
    assert sources["mcp:s-error"]["problem_said"].startswith("IGNORE previous instructions \\u{1b}]52;")
    assert sources["mcp:s-end"]["problem"].endswith("ended with exit status 4")
    assert sources["mcp:version"]["version"].startswith("7IGNORE")
    records = [json.loads(outfitter("changes", one, "--json").stdout)[0] for one in sources]
    for one in (*sources.values(), *records):
        words = {field: text for field, text in one.items() if isinstance(text, str)}
        apart = [words.pop(field, "") for field in ("problem_said", "version")]
        assert "IGNORE" not in "".join(words.values())
        assert max(map(len, apart)) <= 80
        assert not has_hidden("".join([*words.values(), *apart]))
    printed = [report, again, outfitter("sources"), *(outfitter("changes", one) for one in sources)]
    assert not has_hidden("".join(one.stdout + one.stderr for one in printed).replace("\n", ""))


def test_a_source_that_is_gone_from_the_file_goes_only_when_asked(outfitter: Run, tmp_path: Path) -> None:
    """A broken entry, another file and a hand-made source are not gone."""
    for name in "abc":
        manifest(tmp_path, name, tool(f"{name}1"))
    a, b, c = (entry("manifest", name, f"{name}.json") for name in "abc")
    outfitter("sync", sources_file(tmp_path, a, b))
    outfitter("ingest", "manifest", tmp_path / "c.json")

    broken = outfitter("sync", sources_file(tmp_path, a, {**b, "kind": "mainfest"}), "--prune", "--json")
    told = outfitter("sync", sources_file(tmp_path, a), "--json")
    only = outfitter("sync", sources_file(tmp_path, a), "--only", "a", "--prune", "--json")
    assert json.loads(broken.stdout)["kept"] == json.loads(only.stdout)["kept"] == []
    assert json.loads(told.stdout)["kept"] == ["manifest:b"]
    assert set(listed(outfitter)) == {"manifest:a", "manifest:b", "manifest:c"}

    pruned = outfitter("sync", sources_file(tmp_path, a), "--prune", "--json")

    assert statuses(pruned)["manifest:b"] == "removed"
    assert set(listed(outfitter)) == {"manifest:a", "manifest:c"}
    assert outfitter("sync", sources_file(tmp_path, a, c)).exit_code == 0
    assert listed(outfitter)["manifest:c"]["listed_in"].endswith("/sources.yaml")


def test_a_dry_run_shows_what_would_happen(outfitter: Run, tmp_path: Path) -> None:
    """Created, updated, removed and renamed, by source; the graph stays as it is."""
    manifest(tmp_path, "a", tool("x", "X."), tool("y", "Y."), tool("z", "Z."), tool("w", "W."))
    file = sources_file(tmp_path, entry("manifest", "a", "a.json"))
    outfitter("sync", file)
    manifest(tmp_path, "a", tool("x2", "X."), tool("y", "New."), tool("v", "V."), tool("w", "W."))

    report = json.loads(outfitter("sync", file, "--dry-run", "--json").stdout)

    (source,) = report["sources"]
    assert source["renamed"] == [{"from": "a/x", "to": "a/x2"}]
    assert source["nodes"]["Tool"] == {
        "created": ["a/v"],
        "updated": ["a/x2", "a/y"],
        "removed": ["a/z"],
        "unchanged": 1,
    }
    assert json.loads(outfitter("show", "a/x", "--json").stdout)["tool"]["id"] == "a/x"
    assert len(json.loads(outfitter("changes", "manifest:a", "--json").stdout)) == 1


def test_changes_are_listed_newest_first(outfitter: Run, tmp_path: Path) -> None:
    """As a table and as JSON; an unknown source is told with near ones."""
    taxonomy(tmp_path, "w", methods=[{"id": "m", "implements": ["a/x"]}])
    file = sources_file(tmp_path, entry("manifest", "a", "a.json"), entry("taxonomy", "w", "w.yaml"))
    for names in ("x", "xy", "xyz"):
        manifest(tmp_path, "a", *(tool(name) for name in names))
        outfitter("sync", file)

    records = json.loads(outfitter("changes", "manifest:a", "--json").stdout)
    assert [(one["number"], one["tools"][0]["id"]) for one in records] == [(3, "a/z"), (2, "a/y"), (1, "a/x")]
    assert len(json.loads(outfitter("changes", "manifest:a", "--limit", 2, "--json").stdout)) == 2
    table = outfitter("changes", "manifest:a").stdout
    assert "created a/z" in table
    assert "compatible" in table
    unknown = outfitter("changes", "manifest:b")
    assert (unknown.exit_code, "known near ones: manifest:a" in unknown.stderr) == (2, True)


def test_a_file_that_is_none_is_wrong_usage(outfitter: Run, tmp_path: Path) -> None:
    """With the place."""
    path = tmp_path / "sources.yaml"
    path.write_text("sources: {")

    result = outfitter("sync", path)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "sources.yaml:2:1: not YAML" in result.stderr
