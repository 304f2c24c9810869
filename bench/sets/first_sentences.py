"""Requests for a catalogue that comes without any: what a tool says of itself first, which is then taken out of it.

An inverse cloze task (Lee et al., 2019, arXiv 1906.00300): the words of a request are not those that are searched. As in
HGMF's experiment, tools are drawn from a larger catalogue, and the right answer is one tool of one server.
"""

import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from app.domain.nodes.models import Tool
from bench.sets.datasets import Dataset, Question, catalogue_of, lines, require, tool_of
from bench.sets.manifests import TOUCAN

SEED = 1
QUESTIONS = 200
_WORDS = 5
"""Of a request, and of what is left of the text."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def toucan_set(data: Path, size: int, *, seed: int = SEED) -> Dataset:
    """Tools drawn from Toucan, all of them where there are no more, and at most `QUESTIONS` requests.

    Raises:
        InvalidInputError: the list is missing.
    """
    every = catalogue_of(tool_of(row) for row in lines(require(data, *TOUCAN))).tools
    chance = random.Random(seed)  # noqa: S311  # the same set for the same seed
    tools = sorted(chance.sample(every, min(size, len(every))), key=lambda tool: tool.id)
    return asked_by_first_sentence(f"toucan:{size}", tools, seed=seed)


def asked_by_first_sentence(name: str, tools: Sequence[Tool], *, seed: int = SEED) -> Dataset:
    """A request for each of some tools whose first sentence no other tool has, and that say more than that."""
    parts = {tool.id: _parts(tool.description) for tool in tools}
    often = Counter(first.lower() for first, _ in parts.values())
    fit = [
        tool
        for tool in tools
        if often[parts[tool.id][0].lower()] == 1
        and all(len(part.split()) >= _WORDS for part in parts[tool.id])
    ]
    chance = random.Random(seed)  # noqa: S311  # the same set for the same seed
    asked = {tool.id for tool in chance.sample(fit, min(QUESTIONS, len(fit)))}
    left = [
        tool.model_copy(update={"description": parts[tool.id][1]}) if tool.id in asked else tool
        for tool in tools
    ]
    questions = (Question(tool, parts[tool][0], (tool,), {}, "") for tool in sorted(asked))
    return Dataset(name, catalogue_of(left), tuple(questions))


def _parts(text: str) -> tuple[str, str]:
    """The first sentence, and the rest."""
    first, *rest = _SENTENCE.split(text.strip())
    return first, " ".join(rest)
