"""Whom nothing that ships is trained or written for."""

import json
from pathlib import Path

from bench.measure.excluded import NamedVendor, excluded, named_vendors, unlisted_servers
from bench.measure.overlap import shipped_texts


def test_the_common_taxonomy_names_no_vendor_of_a_benchmark() -> None:
    """Its methods are for all of them."""
    assert named_vendors(shipped_texts(), excluded().vendors) == []


def test_a_name_counts_as_a_word_however_it_is_written() -> None:
    """Inside another word it is not a name."""
    texts = [("a", "Put it on SPOTIFY's list"), ("b", "spotifying"), ("c", "spotify_id")]

    assert named_vendors(texts, frozenset({"spotify"})) == [
        NamedVendor("a", "Put it on SPOTIFY's list", "spotify"),
        NamedVendor("c", "spotify_id", "spotify"),
    ]


def test_every_set_with_servers_is_listed() -> None:
    """Names of vendors are single words in lower case, so that a text can be searched for them."""
    found = excluded()

    assert {"goals", "jentic_arazzo_dev", "stabletoolbench", "toollens", "azure_mcp"} <= found.servers.keys()
    assert all(one == one.lower() and one.isalnum() for one in found.vendors)
    assert {"github", "spotify", "slack", "stripe", "twilio", "kubernetes"} <= found.vendors


def test_a_server_that_nobody_listed_is_found(tmp_path: Path) -> None:
    """A set that grows is not trained on by accident."""
    folder = tmp_path / "bench" / "tau_bench"
    folder.mkdir(parents=True)
    rows = [{"id": f"{one}/x", "server": one, "name": "x"} for one in ("retail", "hospital")]
    (folder / "tools.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    (folder / "queries.jsonl").write_text("")

    assert unlisted_servers(tmp_path, excluded()) == [("tau_bench", "hospital")]
