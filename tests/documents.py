"""What the README and docs/ show: their blocks, their commands, and which of these no test runs, and why."""

import re
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
WRITTEN = [README, ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md")), ROOT / "cypher" / "README.md"]
"""Documents that people write."""
GENERATED = sorted((DOCS / "reference").glob("*.md"))
"""Documents that `make docs` writes."""
DOCUMENTS = [*WRITTEN, *GENERATED]

_SETS = "needs public sets; tests/unit/bench and tests/integration/test_bench_report.py measure small ones"
_NEO4J = "needs a Neo4j at this address; the tests of every command have one of their own"
_CONTAINERS = (
    "needs a container engine; tests/unit/test_containers.py and tests/e2e/test_wheel.py hold what it reads"
)
_CLIENT = "needs Claude Code; tests/e2e/test_mcp_snippets.py starts what it registers"
_MODEL = "needs a language model; tests/integration/test_plan_with_model.py has one on loopback"
_ENRICH = "needs a language model or a file of one's own; tests/integration/test_enrich_requests.py has both"
_UNMET = "keeps requests only where it is set to; tests/integration/test_rest.py asks for them"
_WORDS = "sets a variable for one command; tests/unit/lexicon/test_lists.py asks with words of a file"
_MAKE = "installs into .venv of this checkout; what it runs next is run by the tests themselves, or is them"

NOT_RUN: Mapping[str, str] = {
    "make demo": "installs into .venv; tests/e2e/test_wheel.py runs the demo from the wheel",
    "make test": _MAKE,
    "make check": _MAKE,
    "make docs": "writes this checkout; tests/unit/test_docs.py holds the pages to what it would write",
    "python3 -m venv .venv": "downloads; tests/e2e/test_wheel.py installs the wheel into an empty environment",
    ".venv/bin/pip install .": "downloads; tests/e2e/test_wheel.py installs the wheel into an empty environment",
    'export PATH="$PWD/.venv/bin:$PATH"': "the environment of the tests is another one",
    "cp .env.example .env": _CONTAINERS,
    "make up": _CONTAINERS,
    "docker compose run --rm --volume ./examples:/input:ro outfitter ingest manifest /input/manifests": _CONTAINERS,
    "curl -s http://127.0.0.1:8000/v1/sources -H 'Authorization: Bearer the-token'": _CONTAINERS,
    "export NEO4J_URI=bolt://127.0.0.1:7687": _NEO4J,
    "export NEO4J_PASSWORD=the-password": _NEO4J,
    "outfitter ingest taxonomy examples/taxonomy.yaml": _NEO4J,
    "outfitter ingest mcp --server files -- npx -y @modelcontextprotocol/server-filesystem .": (
        "needs npm's registry; tests/e2e/test_real_servers.py runs it where the package lies ready"
    ),
    "outfitter ingest mcp https://mcp.example.com/mcp --header-env Authorization=EXAMPLE_AUTHORIZATION": (
        "nobody is there; tests/integration/test_ingest_mcp.py asks servers with headers"
    ),
    "outfitter sync examples/sources.yaml --watch": "runs until it is stopped; tests/e2e/test_watch.py",
    "claude mcp add outfitter -- outfitter mcp": _CLIENT,
    "export OUTFITTER_LLM_URL=http://127.0.0.1:11434/v1": _MODEL,
    "export OUTFITTER_LLM_MODEL=qwen3:8b": _MODEL,
    'outfitter plan "cancel my order and refund the payment" --dry-run': _MODEL,
    "claude mcp add --transport http outfitter http://127.0.0.1:8000/mcp": _CLIENT,
    'outfitter bench report --data "$DATA" --out report --quick': _SETS,
    "outfitter bench compare before/report.json report/report.json": _SETS,
    'outfitter bench toolbench --data "$DATA"': _SETS,
    'outfitter bench hgmf --data "$DATA"': _SETS,
    'outfitter bench report --data "$DATA" --out before --quick': _SETS,
    'outfitter bench report --data "$DATA" --out after --quick': _SETS,
    "outfitter bench compare before/report.json after/report.json": _SETS,
    'outfitter bench plans --data "$DATA"': _SETS,
    'outfitter bench edges --data "$DATA"': _SETS,
    'outfitter bench goals --data "$DATA"': _SETS,
    'outfitter bench goals --data "$DATA" --server github --verbose': _SETS,
    'outfitter bench retrieval --data "$DATA"': _SETS,
    'OUTFITTER_ENCODER=none outfitter bench retrieval --data "$DATA"': _SETS,
    "outfitter enrich requests --dry-run": _ENRICH,
    "outfitter enrich requests --server billing --language en --language de": _ENRICH,
    "outfitter enrich requests --from requests.jsonl": _ENRICH,
    "outfitter doctor --ask-model --json": _ENRICH,
    "outfitter audit verify": "needs calls that were made; tests/e2e/test_call_tool.py makes them, and verifies",
    "curl -s http://127.0.0.1:8000/v1/unmet": _UNMET,
    "curl -s -X DELETE http://127.0.0.1:8000/v1/unmet/3f2a8c1d9b7e4f60a1b2c3d4e5f60718": _UNMET,
    'OUTFITTER_LEXICON=words.toml outfitter query "kindly mint POs" --explain': _WORDS,
}
"""Lines of `sh` blocks that no test runs as they stand, with the reason. All others are run."""


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", text)


def commands(text: str) -> list[str]:
    """The lines of all `sh` blocks, continued lines joined, without comments."""
    return [
        line.strip()
        for block in blocks(text, "sh")
        for line in re.sub(r"\\\n\s*", "", block).splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    ]


def inline_commands(text: str) -> list[str]:
    """Our own commands, and targets of make, that stand in a sentence."""
    prose = re.sub(r"(?ms)^```.*?^```", "", text)
    found = re.findall(r"(?<!`)`((?:outfitter|make) [^`]+)`", prose)
    return [" ".join(one.split()) for one in found]


def section(text: str, heading: str) -> str:
    """What stands below a heading, up to the next one of any level."""
    found = re.search(rf"(?ms)^#+ {re.escape(heading)}$(.*?)(?=^#+ |\Z)", text)
    assert found, f"no heading {heading!r}"
    return found[1]


def table(text: str) -> list[list[str]]:
    """The rows of the first table, without its head."""
    lines = text.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows


def code(cell: str) -> list[str]:
    """What stands as code in a text."""
    return re.findall(r"`([^`]+)`", cell)
