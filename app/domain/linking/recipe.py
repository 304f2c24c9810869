"""What counts how much when tools are linked to methods: one frozen value, each with where it comes from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LinkingRecipe:
    """Weights of what a tool and a method have in common, and what of it makes a link.

    Source: ablation on the 66 development requests over six documents. Leaving one of the four out costs .015 to .08
    of R@5 there; half as much or twice as much of one costs .02 at most.
    """

    word_weight: float = 2.2
    """Cosine of the words of both, tf-idf."""
    unknown_weight: float = 1.0
    """A word of the tool's name that no method has, against one that a single method has. Source: links read by hand over 140
    documents (4 of a document at most): 17 of 114 are right with 0, 17 of 87 with a little more than 1 (1.2); questions and
    development sets rank alike."""
    action_weight: float = 0.3
    """What the tool does against what the method wants done, -0.6 to 1."""
    least_agreement: float = 0.0
    """Below it there is no link, so that a tool that deletes is not linked to a method that adds."""
    object_weight: float = 0.25
    """The share of what the method works on that the tool's name or path says."""
    domain_weight: float = 0.25
    """How much the other tools of the server are of the method's domain, 0 to 1."""
    domain_sharpness: float = 12.0
    """How clearly the best domain of a tool outweighs the others. Source: a judgement."""
    least: float = 1.0
    """A link's score is at least this; .8 to 1.2 rank alike."""
    full: float = 1.8
    """The score that gives a confidence of 1: that of tools that say what the method says."""
    tool_margin: float = 0.25
    """How far a link may be behind the best of its tool."""
    method_margin: float = 0.4
    """How far a link may be behind the best of its method on the server: `list pods` is no other list's method."""
    most: int = 3
    """Links of a tool."""


LINKING = LinkingRecipe()
"""That of ingest."""
