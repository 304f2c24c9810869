"""Track B's cases: synthetic ones, and paraphrases of the originals.

Source:
    PinePaper-ToolBench (2026), section 6: queries put aliases in place of nouns, by tier. How its paraphrases were
    made is not published; here the verb is replaced, two clauses change places, an everyday frame is put around.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.generated.design_texts import (
    COMPOSITIONS,
    DIRECT,
    FRAMES,
    FRAMES_OF_ANYTHING,
    IMPLIED,
    INTENTS,
    INVENTIONS,
    SECOND_INTENT,
    SEQUENCES,
    SYNONYMS,
)
from bench.generated.design_tools import DesignTool
from bench.generated.design_words import GENERATE
from bench.methods.words import paper_terms
from bench.sets.datasets import Question

SYNTHETIC = {"T1": 63, "T2": 63, "T3": 77, "T4": 56, "T5": 42, "T6": 49}
"""Cases by tier."""
PLAIN_SHARE = {"T1": 0.3, "T2": 0.1, "T3": 0.2, "T4": 0.2, "T5": 0.2, "T6": 0.0}
"""Of queries that call the thing by its noun; the others use an alias, T6 neither."""
PARAPHRASES = 200
ORIGINAL, PARAPHRASE, MADE = "original", "paraphrase", "synthetic"
_ACROSS_DOMAINS = 0.3
"""Of cases with several tools, how many take them from several categories."""
_PLAIN_VERBS = 0.5
_FOUR_TOOLS = 0.25
_TWO_INTENTS = 0.3
_THEN = re.compile(r",? and then |, then | then ")
_AND = re.compile(r",? and ")


@dataclass(frozen=True, slots=True)
class Case:
    """A case with the tools it was made from."""

    question: Question
    tools: tuple[DesignTool, ...]


def synthetic_cases(made_of: Sequence[DesignTool], *, seed: int) -> list[Case]:
    """350 cases, no query twice."""
    chance = random.Random(f"{seed}:cases")  # noqa: S311  # must be repeatable
    seen: set[str] = set()
    found = []
    for tier, count in SYNTHETIC.items():
        for number in range(1, count + 1):
            text, tools = _query(tier, made_of, chance)
            while text in seen:
                text, tools = _query(tier, made_of, chance)
            seen.add(text)
            gold = tuple(tool.id for tool in tools)
            found.append(
                Case(Question(f"synthetic-{tier}-{number:03}", text, gold, {}, tier, part=MADE), tools)
            )
    return found


def paraphrases(originals: Sequence[Question], *, seed: int, count: int = PARAPHRASES) -> list[Question]:
    """This many originals, drawn in proportion to the tiers, in other words; none equals an original."""
    chance = random.Random(f"{seed}:paraphrases")  # noqa: S311  # must be repeatable
    known = {question.text for question in originals}
    found = []
    for tier, share in sorted(proportional(Counter(question.group for question in originals), count).items()):
        of_tier = sorted(
            (question for question in originals if question.group == tier), key=lambda question: question.id
        )
        for question in chance.sample(of_tier, share):
            text = paraphrase(question.text, chance)
            while text in known:
                text = paraphrase(question.text, chance)
            known.add(text)
            found.append(
                Question(f"{question.id}-again", text, question.gold, {}, question.group, part=PARAPHRASE)
            )
    return found


def paraphrase(text: str, chance: random.Random) -> str:
    """The first words of its clauses replaced, two clauses in the other order, in a frame."""
    query = text.strip().rstrip(".!?")
    for joint, order in ((_THEN, "{second}, after you {first}"), (_AND, "{second} and {first}")):
        clauses = joint.split(query)
        if len(clauses) == 2 and all(_starts_with_verb(clause) for clause in clauses):
            first, second = (_other_verb(clause, chance) for clause in clauses)
            query = order.format(first=first, second=second)
            break
    else:
        query = _other_verb(query, chance)
    frames = FRAMES if _starts_with_verb(text) else FRAMES_OF_ANYTHING
    return chance.choice(frames).format(query=query)


def proportional(sizes: Counter[str], count: int) -> dict[str, int]:
    """`count` shared among groups by size: whole parts first, then the largest remainders, ties by name."""
    total = sizes.total()
    count = min(count, total)
    shares = {name: size * count // total for name, size in sizes.items()}
    left = count - sum(shares.values())
    by_remainder = sorted(sizes, key=lambda name: (-(sizes[name] * count % total), name))
    return {name: share + (name in by_remainder[:left]) for name, share in shares.items()}


def overlap(pairs: Iterable[tuple[str, str]]) -> float:
    """Mean Jaccard of the words of (query, text): words in both / words in either."""
    values = []
    for query, text in pairs:
        one, other = set(paper_terms(query)), set(paper_terms(text))
        values.append(len(one & other) / len(one | other) if one | other else 0.0)
    return sum(values) / len(values)


def _query(
    tier: str, made_of: Sequence[DesignTool], chance: random.Random
) -> tuple[str, tuple[DesignTool, ...]]:
    if tier == "T5":
        tool = chance.choice([tool for tool in made_of if tool.verb.plain == GENERATE])
        return chance.choice(INVENTIONS).format(act=_act(tool, tier, chance)), (tool,)
    if tier == "T6":
        return _intent(made_of, chance)
    others = [tool for tool in made_of if tool.verb.plain != GENERATE]
    if tier in {"T1", "T2"}:
        tool = chance.choice(others)
        frames = DIRECT if tier == "T1" else IMPLIED
        return chance.choice(frames).format(act=_act(tool, tier, chance)), (tool,)
    count = 2 if tier == "T3" else 4 if chance.random() < _FOUR_TOOLS else 3
    tools = _several(others, count, chance)
    acts = [_act(tool, tier, chance) for tool in tools]
    if tier == "T3":
        return chance.choice(SEQUENCES).format(first=acts[0], second=acts[1]), tools
    return chance.choice(COMPOSITIONS).format(others=", ".join(acts[:-1]), last=acts[-1]), tools


def _several(tools: Sequence[DesignTool], count: int, chance: random.Random) -> tuple[DesignTool, ...]:
    """Tools for different things, mostly of one category."""
    first = chance.choice(tools)
    near = (
        tools
        if chance.random() < _ACROSS_DOMAINS
        else [tool for tool in tools if tool.domain == first.domain]
    )
    chosen = [first]
    while len(chosen) < count:
        tool = chance.choice(near)
        if all(tool.noun != other.noun for other in chosen):
            chosen.append(tool)
    return tuple(chosen)


def _intent(made_of: Sequence[DesignTool], chance: random.Random) -> tuple[str, tuple[DesignTool, ...]]:
    """What is to be better, and that something is to be done; sometimes for two things of different categories."""
    tool = chance.choice(made_of)
    purpose = tool.noun.purpose
    tools: tuple[DesignTool, ...] = (tool,)
    if chance.random() < _TWO_INTENTS:
        same_verb = [other for other in made_of if other.verb == tool.verb and other.domain != tool.domain]
        if same_verb:
            second = chance.choice(same_verb)
            purpose += SECOND_INTENT.format(purpose=second.noun.purpose)
            tools = (tool, second)
    return chance.choice(INTENTS).format(hint=tool.verb.hint, purpose=purpose), tools


def _act(tool: DesignTool, tier: str, chance: random.Random) -> str:
    """Verb and thing as a user says them."""
    noun = tool.noun.plain if chance.random() < PLAIN_SHARE[tier] else chance.choice(tool.noun.aliases)
    saying = f"{tool.verb.plain} {{}}" if chance.random() < _PLAIN_VERBS else chance.choice(tool.verb.says)
    return saying.format(f"the {noun}")


def _starts_with_verb(clause: str) -> bool:
    return clause.split(" ", 1)[0].lower() in SYNONYMS


def _other_verb(clause: str, chance: random.Random) -> str:
    """The clause with another first word where there is one for it, its first letter small."""
    first, space, rest = clause.partition(" ")
    if first.lower() in SYNONYMS:
        return chance.choice(SYNONYMS[first.lower()]) + space + rest
    return clause if first.isupper() else clause[:1].lower() + clause[1:]
