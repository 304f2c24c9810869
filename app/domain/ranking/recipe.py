"""The weights of the rankings: one frozen value, each with where it comes from.

They are one setting for all sets; ablations were read on development sets and checked on others. Another recipe is
passed on with the index that is built by it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

PAIRS = "pairs"
"""The field of `text.term_pairs`, after a node's texts: which words stand side by side in it.

Only what a taxonomy says has it: in tools' own texts it was worth nothing.
"""

FieldWeights = Mapping[str, float]


@dataclass(frozen=True)
class RankingRecipe:
    """What counts how much."""

    # The published reference, KG-Hybrid.
    window: int = 30
    """How many tools BM25 brings. Source: PinePaper-ToolBench (2026), section 3."""
    text_share: float = 0.6
    """Share of BM25 in the fusion; the graph has the rest. Source: the same."""
    method_seeds: int = 10
    """Methods that spread into the graph. Source: ours; the publication leaves it open."""
    template_seeds: int = 3
    """Templates that do. Source: ours; the publication has none."""
    seed_weight: float = 0.6
    """Share of a method's or template's score that its tools get. Source: the same publication, section 3."""
    neighbour_weight: float = 0.3 * 0.4
    """Share that tools of a method's neighbours get, times the edge's weight: lambda x 0.4. Source: the same."""

    # BM25F of `auto`.
    tool_fields: FieldWeights = field(
        default_factory=lambda: MappingProxyType(
            {
                "name": 2.0,
                "server": 1.0,
                "title": 1.0,
                "first_sentence": 1.0,
                "description": 0.5,
                "parameters": 1.0,
                "parameter_descriptions": 0.3,
                "parameter_values": 0.3,
                "outputs": 0.3,
                "output_descriptions": 0.2,
                "requests": 1.5,
            }
        )
    )
    """Source: ablation, round weights in place of the optimum, which did worse on sets that it was not made on. That of
    requests: on ToolBench's cases, with the examples of a tool's methods as its requests; 1.5 to 3 rank alike."""
    method_fields: FieldWeights = field(
        default_factory=lambda: MappingProxyType(
            {
                "name": 2.0,
                "description": 1.0,
                "tags": 1.5,
                "category": 0.5,
                "examples": 1.0,
                "parameters": 0.3,
                PAIRS: 1.0,
            }
        )
    )
    """A method as a document of its own. Source: ablation on ToolBench's taxonomy."""
    method_fields_of_tool: FieldWeights = field(
        default_factory=lambda: MappingProxyType(
            {
                "name": 1.0,
                "description": 1.0,
                "tags": 1.0,
                "category": 0.5,
                "examples": 1.0,
                "parameters": 0.3,
                PAIRS: 1.0,
            }
        )
    )
    """A method's texts in the documents of its tools; generators' likewise. Source: a judgement, not measured apart."""
    template_fields: FieldWeights = field(
        default_factory=lambda: MappingProxyType(
            {"name": 1.5, "surface": 1.0, "tags": 1.0, "interior": 0.3, PAIRS: 1.0}
        )
    )
    """Source: ablation on ToolBench's taxonomy."""
    concept_fields: FieldWeights = field(
        default_factory=lambda: MappingProxyType({"name": 1.5, "description": 1.0, "tags": 1.0, PAIRS: 1.0})
    )
    """Source: the same."""

    # What the words of a query count.
    faint_weight: float = 0.3
    """A word that opens queries whatever they ask for, where any other has 1. Source: ablation on development sets."""
    pair_weight: float = 0.2
    """Two words side by side, besides each. Source: ablation on what taxonomies say."""
    country_weight: float = 0.5
    """The term `country` where a query names one. Source: ablation on ToolLinkOS, a development figure."""
    value_weight: float = 0.5
    """What a value is (`email` where a query holds an address). Source: that of a country; .3 to 1 rank alike."""

    # What makes the words of a document more or less.
    intent_weight: float = 0.3
    """What the tool does against what is asked for. Source: ablation; above it harms queries with several wishes."""
    name_weight: float = 0.25
    """The share of the tool's name that the query says. Source: ablation, with the object there."""
    object_weight: float = 0.1
    """That the tool works on what the query is about. Source: ablation; from .2 on it harms queries with several wishes."""
    resource_weight: float = 0.3
    """The share of what its path names that the query says. Source: that of the intent; .2 to .4 rank alike."""
    read_against_write: float = -0.6
    """An action that reads where one that writes is asked for, or the other way round. Source: a judgement."""
    write_against_write: float = -0.3
    """An action that writes where another one that does is asked for. Source: a judgement."""

    # The channels of the graph.
    auto_method_seeds: int = 20
    """Source: ablation on ToolBench's taxonomy, as all of this part."""
    auto_template_seeds: int = 3
    auto_concept_seeds: int = 3
    document_weight: float = 0.4
    power_weight: float = 0.3
    """Tools whose one best method fits."""
    sum_weight: float = 0.3
    """Tools of many methods that fit."""
    template_weight: float = 0.2
    concept_weight: float = 0.2
    template_decay: float = 0.3
    """How fast a template's tools fade with their place in its list. The database is given it as a parameter."""
    concept_decay: float = 0.2
    """How fast a concept's methods fade with their place in its list; likewise."""
    server_weight: float = 0.5
    """How well the other tools of the server fit. Source: ablation on development sets; 0 and 2 did worse."""
    min_servers: int = 3
    """Below this many servers a server says nothing about a query. Source: a judgement."""

    # What methods of the common taxonomy suggest.
    common_seeds: int = 20
    """Source: that of methods; with the third power the twentieth gives next to nothing."""
    suggestion_weight: float = 3.0
    """What a suggestion gives at most, where the best score is 1. Source: ablation on development requests; 2 to 4
    rank alike, because what words say well is left to them (`formulas.suggestion_unit`)."""

    # Vectors.
    meaning_weight: float = 0.65
    """How close tool and request are in meaning, where the best score by words and graph is 1. Source: ablation on TUNE, LONG
    and `catalogues` with `meaning.closeness`, R@5 / MRR: .55 .722 / .789, .675 / .827, .459 / .405; .6 .722 / .787, .674 / .828, .474 / .410;
    .65 .723 / .787, .674 / .829, .483 / .416."""
    stated_meaning_weight: float = 0.3
    """The same where a taxonomy states what all tools do; between both, by their share. Source: ToolBench, R@5 / MRR and R@5 of T6: this .964 /
    .884 and .866, .35 .962 / .885 and .857, .4 .959 / .882 and .857, .45 .959 / .880 and .866, .55 .953 / .878 and .861."""
    meaning_window: int = 1_000
    """The tools that are compared in meaning: the best by words and graph. Source: ablation; 300, 1,000 and all differ by
    .001."""
    meaning_candidates: int = 50
    """The tools that are candidates because nothing is closer in meaning. Source: development questions, whose tool often shares no
    word with them; 20 to 1,000 rank alike."""
    open_meaning_weight: float = 1.0
    """What closeness in meaning gives beyond that where no word of the request is in the best tool. Source: development questions, TUNE
    and LONG; 2 finds fewer and ranks the first worse on TUNE and LONG, .5 finds fewer of the questions. Where a
    taxonomy states what all tools do it is left out: ToolBench's R@5 / MRR are .932 / .856 with it, .956 / .879 without."""
    need_weight: float = 0.15
    """How close a tool is to the need of the request that it is closest to, where the best score is 1. Source: TUNE, LONG and `catalogues`,
    R@5 / MRR, before far needs were left out: 0 .712 / .783, .658 / .818, .416 / .377; this .714 / .785, .675 / .833, .432 / .387;
    .3 .711 / .786, .676 / .834, .442 / .390. What a taxonomy states is left alone: .3 costs ToolBench .030 R@5."""
    many_needs: int = 6
    """Needs from which on the first place is open, too, and closeness counts more. Source: likewise, of 5, 6 and 7."""
    many_needs_weight: float = 0.5
    """What closeness counts from then on. Source: likewise; .8 finds as much of LONG and .002 less of TUNE."""
    need_window: int = 40
    """The best tools by all else, which are compared with each need. Source: likewise; 100 finds .004 less of LONG."""

    # The order of the first tools.
    weighed_first: int = 40
    """How many are put into another order. Source: the window of needs."""
    weighed_short: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                "score": 0.0,
                "words": 0.0,
                "meaning": 11.32,
                "need": 5.08,
                "said": 2.84,
                "suggested": 1.71,
                "server": 1.28,
            }
        )
    )
    """Weights of `weighed.EVIDENCE` for short requests. Source: `python -m tools.fit_order DATA`, a conditional logistic regression over
    TUNE, LONG and `catalogues`, without weights below 0; it judges each set with the weights of the others."""
    weighed_long: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                "score": 1.3,
                "words": 4.36,
                "meaning": 3.8,
                "need": 1.64,
                "said": 4.96,
                "suggested": 1.71,
                "server": 1.28,
            }
        )
    )
    """The same for long ones. Source: likewise."""
    weighed_turn: float = 5.0
    """What it counts to be closer to one of several needs than all tools before. Source: TUNE, LONG and `catalogues`, R@5 / MRR:
    0 .724 / .794, .676 / .837, .548 / .468; 3 .725 / .795, .687 / .840, .549 / .470; this .724 / .795, .693 / .841, .548 / .469;
    8 .722 / .795, .693 / .842, .548 / .469."""

    # How sure an answer is.
    confidence_by_meaning: tuple[float, ...] = (-1.87, 1.48, 2.59, -0.38, 8.55)
    """Weights of `confidence.features`. Source: logistic regression by `outfitter bench confidence`."""
    confidence_by_words: tuple[float, ...] = (-0.10, 2.58, 3.52, -0.36)
    """The same without vectors."""
    confidence_model: str = "onnx:minilm:04b90828105be8ca"
    """Whose cosines the weights are for; those of other models are not compared in confidence."""
    confident: float = 0.37
    """The least confidence of an answer that does not abstain. Source: the same command."""

    # Words of the best tools, RM3.
    feedback_tools: int = 5
    """Source: Lavrenko, Croft (SIGIR 2001); Abdul-Jaleel et al. (TREC 2004), with values by ablation, as the next two."""
    feedback_terms: int = 10
    feedback_mass: float = 0.3
    feedback_mix: float = 0.5
    """Share of feedback in the tail. Source: ablation."""
    head: int = 5
    """The best tools, which feedback leaves as they are. Source: ablation."""


RECIPE = RankingRecipe()
"""That of the service."""
