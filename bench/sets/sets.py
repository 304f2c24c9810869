"""Every set of the data folder by name, and the samples that the service's ranking was tuned and checked on."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from app.errors import InvalidInputError
from bench.measure.linked_tools import linked_catalogue
from bench.peer.sets import PEER_SETS, peer_set
from bench.sets.datasets import (
    Dataset,
    bench_set,
    catalogue_of,
    plain_tool,
    toolbench_manifest,
    toolbench_questions,
)
from bench.sets.taxonomy import taxonomy_catalogue, taxonomy_links, taxonomy_methods

Reader = Callable[[Path], Dataset]

TUNE = ("ultratool", "toollens", "azure_mcp", "jentic_a")
"""What the ranking of `auto` was tuned on."""
CHECK = ("jentic_b", "livemcpbench", "toollinkos", "tmdb", "spotify", "nestful", "peer", "pine")
"""What only checks it; `peer` stands for the nine of `PEER_SETS`."""
LONG = ("stabletoolbench", "bfcl_multi_turn", "tau_bench")
"""Long requests, 43 to 106 words in the median: what is asked for one by one was tuned on them, beside TUNE."""
_ULTRATOOL, _TOOLLENS, _TOOLLINKOS = 400, 400, 500
_JENTIC_QUESTIONS = 150


def toolbench(data: Path) -> Dataset:
    """PinePaper-ToolBench: 582 cases on the 51 tools of its taxonomy."""
    return Dataset(
        "toolbench",
        taxonomy_catalogue(data),
        toolbench_questions(data),
        list_gold=True,
        manifest=toolbench_manifest(data),
        links=taxonomy_links(data),
    )


def _plain(
    data: Path, *, name: str, folder: str, group: str | None = None, count: int | None = None
) -> Dataset:
    dataset = bench_set(data, folder, group=group)
    return Dataset(name, dataset.catalogue, dataset.questions[:count])


def _linked(data: Path, *, name: str) -> Dataset:
    """ToolLinkOS with the dependencies that came with its tools."""
    return Dataset(name, linked_catalogue(data), bench_set(data, "toollinkos").questions)


def _jentic(data: Path, *, name: str, first_half: bool) -> Dataset:
    whole = bench_set(data, "jentic_arazzo_dev")
    vendors = sorted({question.group for question in whole.questions})
    random.Random(1).shuffle(vendors)  # noqa: S311  # a published order, no secret
    chosen = set(vendors[: len(vendors) // 2])
    half = [question for question in whole.questions if (question.group in chosen) == first_half]
    return Dataset(name, whole.catalogue, tuple(half[:_JENTIC_QUESTIONS]))


def _pine(data: Path) -> Dataset:
    """ToolBench as bare tools: the texts of a tool's methods are its description."""
    methods = taxonomy_methods(data)
    tools = []
    for tool in sorted({tool for method in methods for tool in method.implements}):
        texts = [
            " ".join((method.name, method.description, *method.tags, method.category, *method.examples))
            for method in methods
            if tool in method.implements
        ]
        tools.append(plain_tool(id=tool, server="", name=tool, description=" ".join(texts)))
    return Dataset("pine", catalogue_of(tools), toolbench_questions(data))


def _peer(data: Path, *, name: str) -> Dataset:
    return peer_set(data, name)


SAMPLES: Mapping[str, Reader] = MappingProxyType(
    {
        "ultratool": partial(_plain, name="ultratool", folder="ultratool_test", count=_ULTRATOOL),
        "toollens": partial(_plain, name="toollens", folder="toollens", group="test", count=_TOOLLENS),
        "azure_mcp": partial(_plain, name="azure_mcp", folder="azure_mcp"),
        "jentic_a": partial(_jentic, name="jentic_a", first_half=True),
        "jentic_b": partial(_jentic, name="jentic_b", first_half=False),
        "livemcpbench": partial(_plain, name="livemcpbench", folder="livemcpbench"),
        "toollinkos": partial(_plain, name="toollinkos", folder="toollinkos", count=_TOOLLINKOS),
        "tmdb": partial(_plain, name="tmdb", folder="restbench_tmdb"),
        "spotify": partial(_plain, name="spotify", folder="restbench_spotify"),
        "nestful": partial(_plain, name="nestful", folder="nestful"),
        **{f"gtc:{name}": partial(_peer, name=name) for name in PEER_SETS},
        "pine": _pine,
    }
)
"""TUNE and CHECK."""
LONG_SAMPLES: Mapping[str, Reader] = MappingProxyType(
    {name: partial(_plain, name=name, folder=name) for name in LONG}
)
FULL: Mapping[str, Reader] = MappingProxyType(
    {
        "toolbench": toolbench,
        **{f"gtc:{name}": partial(_peer, name=name) for name in PEER_SETS},
        "livemcpbench": SAMPLES["livemcpbench"],
        "toollens_full": partial(_plain, name="toollens_full", folder="toollens", group="test"),
        "ultratool_full": partial(_plain, name="ultratool_full", folder="ultratool_test"),
        "azure_mcp": SAMPLES["azure_mcp"],
        "toollinkos_full": partial(_linked, name="toollinkos_full"),
        "tmdb": SAMPLES["tmdb"],
        "spotify": SAMPLES["spotify"],
        "jentic_full": partial(_plain, name="jentic_full", folder="jentic_arazzo_dev"),
        "nestful": SAMPLES["nestful"],
    }
)
"""Every set with all of its questions."""
SETS: Mapping[str, Reader] = MappingProxyType({**FULL, **SAMPLES})


def read_set(data: Path, name: str) -> Dataset:
    """A set.

    Raises:
        InvalidInputError: no set has this name, or the folder lacks it.
    """
    return _reader(name)(data)


def read_sets(data: Path, names: Sequence[str]) -> tuple[list[Dataset], list[str]]:
    """The sets that the folder has, and a line for each that it lacks.

    Raises:
        InvalidInputError: there is no set of a name.
    """
    for name in names:
        _reader(name)
    found, missing = [], []
    for name in names:
        try:
            found.append(read_set(data, name))
        except InvalidInputError as error:
            missing.append(f"{name}: {error}")
    return found, missing


def _reader(name: str) -> Reader:
    if name not in SETS:
        raise InvalidInputError(f"no set {name!r}; sets are {', '.join(SETS)}")
    return SETS[name]
