"""Track B's synthetic tools, methods, edges and shells.

Source:
    PinePaper-ToolBench (2026), section 6: 400 tools by combining verbs and nouns in 10 categories, about 520 methods,
    `similar` edges by shared typed parameters, 30 shells, bridges to the real methods. Words, counts per tool and the
    bound of ten edges are ours.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from app.domain.nodes.models import (
    Category,
    EdgeKind,
    Generator,
    Link,
    Method,
    MethodId,
    Template,
    TemplateId,
    Tool,
    ToolId,
)
from bench.generated.design_parameters import POOLS, REAL
from bench.generated.design_shells import DELIVERABLES, Deliverable
from bench.generated.design_texts import DESCRIPTIONS, EXAMPLES, INTERIOR, MODES
from bench.generated.design_words import DOMAINS, GENERATE, VERBS, Domain, Noun, Verb
from bench.sets.datasets import plain_tool

METHOD_COUNTS = (1,) * 300 + (2,) * 80 + (3,) * 20
"""Methods of each of the 400 tools, before they are shuffled."""
PARAMETERS = (3, 6)
"""Fewest and most of a method."""
SHELL_TOOLS = (3, 6)
MAX_SIMILAR = 10
MAX_BRIDGES = 2
BRIDGE_WEIGHT = 0.5
MIN_SHARED = 2
"""Typed parameters that a bridge needs."""


@dataclass(frozen=True, slots=True)
class DesignTool:
    """A tool with what it was made of."""

    id: ToolId
    domain: Domain
    verb: Verb
    noun: Noun


@dataclass(frozen=True)
class Design:
    """The synthetic part of Track B, without its cases."""

    made_of: tuple[DesignTool, ...]
    tools: tuple[Tool, ...]
    methods: tuple[Method, ...]
    """Without `SIMILAR` edges to the real ones: see `bridges`."""
    generators: tuple[Generator, ...]
    templates: tuple[Template, ...]
    categories: tuple[Category, ...]


def make_design(seed: int) -> Design:
    """Tools, methods, edges and shells; equal for equal seeds."""
    made_of = tuple(
        DesignTool(_tool_id(domain, VERBS[verb], noun), domain, VERBS[verb], noun)
        for domain in DOMAINS
        for noun in domain.nouns
        for verb in domain.verbs
    )
    methods = _methods(made_of, random.Random(f"{seed}:methods"))  # noqa: S311  # must be repeatable
    generators = [
        Generator(
            id=f"preset.{method.id}",
            name=method.name,
            description="",
            tool=method.implements[0],
            parameters=(),
        )
        for method in methods
        if method.id.split(".")[1].startswith(GENERATE)
    ]
    shells = [
        _shell(deliverable, made_of, random.Random(f"{seed}:shell:{deliverable.name}"))  # noqa: S311
        for deliverable in DELIVERABLES
    ]
    return Design(
        made_of=made_of,
        tools=tuple(plain_tool(id=tool.id, server="", name=tool.id, description="") for tool in made_of),
        methods=tuple(similar_methods(methods)),
        generators=tuple(generators),
        templates=tuple(shells),
        categories=tuple(Category(id=domain.id, name=domain.name, description="") for domain in DOMAINS),
    )


def similar_methods(methods: Sequence[Method]) -> list[Method]:
    """The methods with `SIMILAR` edges inside categories: 3 or more shared parameters .7, two .5, else .3.

    Edges run both ways. No method has more than ten: the heaviest are taken first, ties by the ids of both ends.
    """
    pairs = sorted(
        (-similarity(one, other), one.id, other.id)
        for one, other in combinations(sorted(methods, key=lambda method: method.id), 2)
        if one.category == other.category
    )
    links: dict[str, list[Link]] = {method.id: [] for method in methods}
    for weight, one, other in pairs:
        if max(len(links[one]), len(links[other])) < MAX_SIMILAR:
            links[one].append(Link(kind=EdgeKind.SIMILAR, target=other, weight=-weight))
            links[other].append(Link(kind=EdgeKind.SIMILAR, target=one, weight=-weight))
    return [with_links(method, links[method.id]) for method in methods]


def similarity(one: Method, other: Method) -> float:
    """Weight of the edge between two methods of one category."""
    shared = len(set(one.parameters) & set(other.parameters))
    return 0.7 if shared >= 3 else 0.5 if shared == 2 else 0.3


def bridges(design: Sequence[Method], real: Sequence[Method]) -> list[Method]:
    """The synthetic methods with edges of .5 to real ones that share two typed parameters or more.

    Each has at most two: those that share most, ties by id.
    """
    typed = {method.id: {REAL[name] for name in method.parameters if name in REAL} for method in real}
    found = []
    for method in design:
        shared = {name: len(types & set(method.parameters)) for name, types in typed.items()}
        near = sorted((-count, name) for name, count in shared.items() if count >= MIN_SHARED)
        links = [
            Link(kind=EdgeKind.SIMILAR, target=name, weight=BRIDGE_WEIGHT) for _, name in near[:MAX_BRIDGES]
        ]
        found.append(with_links(method, links))
    return found


def with_links(method: Method, links: Sequence[Link]) -> Method:
    """The method with more neighbours."""
    related = sorted((*method.related, *links), key=lambda link: (link.target, link.kind))
    return method.model_copy(update={"related": tuple(related)})


def shuffled_shells(templates: Sequence[Template], tools: Sequence[ToolId], *, seed: int) -> list[Template]:
    """The same shells over other tools: one permutation of all tools, so that popular ones stay as popular."""
    names = sorted(tools)
    others = list(names)
    random.Random(f"{seed}:shuffled").shuffle(others)  # noqa: S311  # must be repeatable
    instead: Mapping[ToolId, ToolId] = dict(zip(names, others, strict=True))
    return [
        template.model_copy(update={"uses": tuple(instead.get(tool, tool) for tool in template.uses)})
        for template in templates
    ]


def _methods(made_of: Sequence[DesignTool], chance: random.Random) -> list[Method]:
    counts = list(METHOD_COUNTS)
    chance.shuffle(counts)
    return [
        _method(tool, mode, chance)
        for tool, count in zip(made_of, counts, strict=True)
        for mode in range(count)
    ]


def _method(tool: DesignTool, mode: int, chance: random.Random) -> Method:
    pool = [name for part in tool.domain.pools for name in POOLS[part]]
    parameters = chance.sample(pool, chance.randint(*PARAMETERS))
    end_of_name, end_of_description = MODES[mode]
    act, thing = tool.verb.technical, tool.noun.technical
    description = chance.choice(DESCRIPTIONS).format(
        act=act,
        Act=act.capitalize(),
        thing=thing,
        mechanism=tool.domain.mechanism,
        parameters=_listed([" ".join(split_name(name)) for name in parameters]),
    )
    verb, noun = tool.verb.plain, tool.noun.plain
    return Method(
        id=MethodId(f"{tool.domain.id}.{slug(verb)}_{slug(noun)}{slug(end_of_name)}"),
        name=f"{verb} {noun}".title() + end_of_name,
        description=description + end_of_description,
        category=tool.domain.id,
        tags=(" ".join(thing.split()[-2:]), tool.domain.mechanism.split()[-1]),
        parameters=tuple(parameters),
        examples=tuple(text.format(Verb=verb.capitalize(), verb=verb, noun=noun) for text in EXAMPLES),
        implements=(tool.id,),
        related=(),
    )


def _shell(deliverable: Deliverable, made_of: Sequence[DesignTool], chance: random.Random) -> Template:
    """Its nouns' tools, at least one of each noun."""
    of_noun = [
        [tool for tool in made_of if tool.domain.id == deliverable.domain and tool.noun.plain == noun]
        for noun in deliverable.nouns
    ]
    chosen = [chance.choice(tools) for tools in of_noun]
    left = [tool for tools in of_noun for tool in tools if tool not in chosen]
    size = max(len(chosen), chance.randint(*SHELL_TOOLS))
    chosen += chance.sample(left, size - len(chosen))
    things = _listed(list(dict.fromkeys(tool.noun.technical for tool in chosen)))
    return Template(
        id=TemplateId(f"shell.{slug(deliverable.name)}"),
        name=deliverable.name,
        surface=deliverable.surface,
        interior=INTERIOR.format(things=things),
        tags=(),
        uses=tuple(tool.id for tool in chosen),
    )


def _tool_id(domain: Domain, verb: Verb, noun: Noun) -> ToolId:
    return ToolId(f"{domain.id}_{slug(verb.plain)}_{slug(noun.plain)}")


def slug(text: str) -> str:
    """Words in lower case, joined by underscores."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).rstrip("_")


def split_name(name: str) -> list[str]:
    """The words of a camelCase name."""
    return re.sub(r"([A-Z])", r" \1", name).lower().split()


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
