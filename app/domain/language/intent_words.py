"""Which words stand for which kind of action, and how well actions go together. The words are in lexicon/en.toml."""

from collections import defaultdict
from collections.abc import Mapping

from app.lexicon.lists import table, words

_classes = table("en")["classes"]


def _words_by_action() -> Mapping[str, str]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for verb, says in table("en")["verbs"].items():
        for action in says.get("class", "").split():
            found[action].append(verb)
    return {action: " ".join(found[action]) for action in _classes}


ACTION_WORDS = _words_by_action()
"""Action class -> the words that say it; a word may say several."""

ACTIONS_OF = {
    verb: tuple(action for action in _classes if action in says["class"].split())
    for verb, says in table("en")["verbs"].items()
    if "class" in says
}
"""Word -> the actions that it says."""

READING_ACTIONS = frozenset(action for action, facts in _classes.items() if facts["reads"])
"""Actions that change nothing; all others write."""

RELATED_ACTIONS: Mapping[str, Mapping[str, float]] = {
    action: facts["related"] for action, facts in _classes.items() if facts["related"]
}
"""Asked action -> actions of tools that serve it too, and how well, where 1 is the action itself."""

NOUNS_FIRST = frozenset(words("en", "phrases", "nouns_first"))
"""Words that say an action at the start of a tool's name, but are nouns anywhere else in it."""
NAME_PREFIXES = frozenset(words("names", "prefixes"))
"""Words before the verb of a tool's name."""
NAME_PREPOSITIONS = frozenset(words("names", "ends"))
"""Words that end the noun of a tool's name."""
SHOWING_WORDS = frozenset(words("en", "phrases", "showing"))
"""Words that ask for one thing or, before a plural, for many."""
DETERMINERS = frozenset(words("en", "phrases", "determiners"))
PREPOSITIONS = frozenset(words("en", "phrases", "prepositions"))
PLURAL_IN_FORM = frozenset(words("en", "phrases", "plural_in_form"))
"""Words that end in s and are one thing."""
ARTICLES = frozenset(words("en", "phrases", "articles"))
"""Words that stand before a noun phrase and are not part of it."""
PHRASE_ENDS = frozenset(words("en", "phrases", "ends"))
"""Words that end a noun phrase."""
PARTS_OF_THINGS = frozenset(words("en", "phrases", "parts_of_things"))
"""Nouns that before `of` say what of a thing is asked for, not of which thing."""
