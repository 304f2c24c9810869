"""Whom nothing that ships is trained or written for, and whether a text names one of them."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from app.errors import InvalidInputError
from bench.sets.datasets import bench_set

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Excluded:
    """Those that rankings are measured on."""

    vendors: frozenset[str]
    """One word each, in lower case."""
    servers: Mapping[str, frozenset[str]]
    """By set, as it names them."""


@dataclass(frozen=True, slots=True)
class NamedVendor:
    """A text that names one."""

    method: str
    text: str
    vendor: str


@cache
def excluded() -> Excluded:
    """Those of `bench/sets/excluded.toml`."""
    found = tomllib.loads(files("bench.sets").joinpath("excluded.toml").read_text(encoding="utf-8"))
    servers = {name: frozenset(some) for name, some in found["servers"].items()}
    return Excluded(frozenset(found["vendors"]), servers)


def named_vendors(texts: Iterable[tuple[str, str]], vendors: frozenset[str]) -> list[NamedVendor]:
    """The texts, each with its method, that say a vendor's name as a word; a text once for each."""
    return [
        NamedVendor(method, text, vendor)
        for method, text in texts
        for vendor in sorted(vendors.intersection(_WORD.findall(text.lower())))
    ]


def unlisted_servers(data: Path, known: Excluded) -> list[tuple[str, str]]:
    """Set and server, where a set of the folder has one that is not listed: then nobody knows what to keep out."""
    found = []
    for path in sorted(data.glob("bench/*/tools.jsonl")):
        name = path.parent.name
        try:
            servers: Sequence[str] = sorted({tool.server for tool in bench_set(data, name).catalogue.tools})
        except InvalidInputError:
            continue
        found += [(name, one) for one in servers if one and one not in known.servers.get(name, frozenset())]
    return found
