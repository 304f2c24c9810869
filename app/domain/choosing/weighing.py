"""How sure it is that the call which rules choose does what a task asks for, compared with all that may do it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.choosing.candidate import Candidate
from app.domain.choosing.recipe import RECIPE


@dataclass(frozen=True, eq=False)
class WeighedCalls:
    """The calls that may do a task, and what speaks for each, by position."""

    candidates: Mapping[int, Candidate]
    words: Mapping[int, float]
    """The score of each, where the first has 1."""
    inputs: Mapping[int, float]
    """`fit_of`."""
    coherence: Mapping[int, float]
    """How well each goes with the calls before it, 0 to 1."""

    @property
    def worth(self) -> Mapping[int, float]:
        """What each is worth to the rules."""
        return {
            at: self.words[at] + RECIPE.coherence * self.coherence[at] + self.inputs[at]
            for at in self.candidates
        }

    @property
    def evidence(self) -> Mapping[int, Mapping[str, float]]:
        """What speaks for each, as `sureness` weighs it."""
        return {
            at: evidence_for(one, words=self.words[at], inputs=self.inputs[at], coherence=self.coherence[at])
            for at, one in self.candidates.items()
        }


def evidence_for(one: Candidate, *, words: float, inputs: float, coherence: float) -> Mapping[str, float]:
    """What speaks for a call, by the names of `SurenessRecipe.weights`.

    Args:
        one: The call beside its task.
        words: Its score, where the best of the task has 1.
        inputs: `fit_of`.
        coherence: How well it goes with the calls before it, 0 to 1.
    """
    return {
        "words": words,
        "inputs": inputs,
        "coherence": coherence,
        "meaning": one.cosine,
        "suggested": one.suggested,
        "nouns": one.knows_of_strangers,
        "changes": float(one.traits.mutating),
        "kind": float(one.is_of_kind),
        "verb": float(one.is_spoken),
        "states": float(bool(one.found.states)),
        "takes_all": float(one.takes_all),
    }


def sureness(evidence: Mapping[int, Mapping[str, float]]) -> Mapping[int, float]:
    """How likely each call is right, 0 to 1: where much speaks for it, and far more than for the others.

        worth = sum of weight * evidence
        share = exp(worth) / sum of exp(worth) over all calls
        sureness = 1 / (1 + exp(-(a worth + b share + c)))

    Args:
        evidence: What speaks for each call that may do the task, by its position.
    """
    recipe = RECIPE.sureness
    worth = {
        other: math.fsum(recipe.weights[name] * value for name, value in found.items())
        for other, found in evidence.items()
    }
    best = max(worth.values())
    whole = math.fsum(math.exp(one - best) for one in worth.values())
    return {at: _likelihood(one, share=math.exp(one - best) / whole) for at, one in worth.items()}


def _likelihood(worth: float, *, share: float) -> float:
    recipe = RECIPE.sureness
    return 1 / (1 + math.exp(-(recipe.of_worth * worth + recipe.of_share * share + recipe.constant)))
