"""Poisoned, tricky and real descriptions, and what is found in them."""

import ast
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.domain.findings.patterns import Tier
from app.domain.findings.scan import find_in_texts, is_held
from app.errors import InvalidInputError

_SEED = 16
_SAFETY = Path("MCPSafety/mcpuniverse/benchmark/configs/test")
_PROXY = Path("mcpproxy-go/specs/065-evaluation-foundation/datasets")
_SCANNER = Path("mcp-scanner/evals/behavioral-analysis/data")
_REAL = {
    "livemcpbench": ("bench/livemcpbench",),
    "real tools of eight sets": (
        "bench/livemcpbench",
        "catalogues/mcp_manifests",
        "bench/azure_mcp",
        "bench/tau_bench",
        "bench/bfcl_multi_turn",
        "bench/jentic_arazzo_dev",
        "bench/nestful",
        "bench/toollinkos",
    ),
}


@dataclass(frozen=True, slots=True)
class FindingShares:
    """What is found in the descriptions of one set."""

    set: str
    tools: int
    hard: float
    """Share with a hard sign."""
    held: float
    """Share that somebody should look at first: a hard sign, or two kinds of soft ones."""
    any: float


def measure_findings(folder: Path, *, data: Path | None = None) -> list[FindingShares]:
    """Shares by set.

    Args:
        folder: With checkouts `MCPSafety`, `mcpproxy-go` and `mcp-scanner`, or one of them.
        data: Folder with the public sets of real tools; None leaves them out.

    Raises:
        InvalidInputError: the folder holds none of them.
    """
    sets: dict[str, Sequence[str]] = {}
    if (folder / _SAFETY).is_dir():
        poisoned = sorted(_modified(folder / _SAFETY))
        random.Random(_SEED).shuffle(poisoned)  # noqa: S311  # halves, no secret
        half = len(poisoned) // 2
        texts = [text for _, text in poisoned]
        sets |= {"mcp-safetybench, first half": texts[:half], "mcp-safetybench, second half": texts[half:]}
    if (folder / _PROXY).is_dir():
        entries = list(_entries(folder / _PROXY))
        sets["mcpproxy, malicious"] = [text for label, text in entries if label == "malicious"]
        sets["mcpproxy, benign and hard negatives"] = [
            text for label, text in entries if label != "malicious"
        ]
    if (folder / _SCANNER).is_dir():
        sets["mcp-scanner, malicious by their code"] = list(_documented(folder / _SCANNER))
    if not sets:
        raise InvalidInputError(
            f"{folder}: none of {_SAFETY}, {_PROXY}, {_SCANNER}; accepted: a folder with one of them"
        )
    for name, paths in _REAL.items() if data is not None else ():
        sets[name] = (
            [text for path in paths for text in _descriptions(data / path)] if data is not None else []
        )
    return [finding_shares(name, texts) for name, texts in sets.items()]


def finding_shares(name: str, texts: Sequence[str]) -> FindingShares:
    """The shares of one set of descriptions."""
    found = [find_in_texts({"description": text}) for text in texts]
    count = max(1, len(found))
    return FindingShares(
        set=name,
        tools=len(found),
        hard=sum(any(one.tier is Tier.HARD for one in signs) for signs in found) / count,
        held=sum(map(is_held, found)) / count,
        any=sum(map(bool, found)) / count,
    )


def _modified(folder: Path) -> Iterator[tuple[str, str]]:
    """File and text of each changed description."""
    for path in sorted(folder.rglob("*.json")):
        for text in _values(json.loads(path.read_text(encoding="utf-8")), "modification_description"):
            yield path.relative_to(folder).as_posix(), text


def _values(value: object, name: str) -> Iterator[str]:
    children: Iterable[object] = ()
    if isinstance(value, dict):
        if isinstance(found := value.get(name), str):
            yield found
        children = value.values()
    elif isinstance(value, list):
        children = value
    for child in children:
        yield from _values(child, name)


def _entries(folder: Path) -> Iterator[tuple[str, str]]:
    for name in ("detect_corpus_v1.json", "security_corpus_v1.json"):
        for entry in json.loads((folder / name).read_text(encoding="utf-8"))["entries"]:
            yield entry["label"], entry.get("description") or entry["tool"]["description"]


def _documented(folder: Path) -> Iterator[str]:
    """What the tools of each server say of themselves, a text a server: its code is read, and not run."""
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
        tools = (one for one in functions if any("tool" in ast.unparse(by) for by in one.decorator_list))
        yield "\n\n".join(ast.get_docstring(one) or "" for one in tools)


def _descriptions(folder: Path) -> Iterator[str]:
    for line in (folder / "tools.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)["description"] or ""
