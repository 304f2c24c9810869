"""Sentences of Track B: each list serves one kind of text, so that no query can be the string of a catalogue text."""

DESCRIPTIONS = (
    "{Act} {thing} within {mechanism}; accepts {parameters}.",
    "Performs {act} {thing}. Behaviour governed by {parameters}; scope: {mechanism}.",
    "Interface for {act} {thing} over {mechanism}, parameterised by {parameters}.",
    "Executes {act} {thing} according to {parameters}, committing to {mechanism}.",
)
"""Of methods."""
MODES = (
    ("", ""),
    (" by Preset", " Operands are resolved from a stored profile."),
    (" in Batch", " Applied to an enumerated series of instances."),
)
"""What tells the methods of one tool apart: end of the name, end of the description."""
EXAMPLES = ("{Verb} {noun} via its interface", "Batch operation: {verb} each {noun} of the document")
"""Of methods: what an integrator would write."""
INTERIOR = "Assembly of {things}."
"""Of shells."""

DIRECT = ("{act}", "please {act}", "{act}, please", "go ahead and {act}", "{act} for me")
"""Queries for a tool that is named (T1)."""
IMPLIED = (
    "is there a way to {act}?",
    "I wish somebody would {act}",
    "it would help a lot to {act}",
    "how could we {act}, any idea?",
    "my boss asked me to {act}",
)
"""Queries for a tool that is implied (T2)."""
SEQUENCES = (
    "{first}, then {second}",
    "first {first} and afterwards {second}",
    "once that is done ({first}), {second}",
    "{first}; when it is ready, {second}",
)
"""Queries for two tools (T3)."""
COMPOSITIONS = (
    "one after another: {others} and {last}",
    "{others} and finally {last}",
    "I need the whole lot: {others}, then {last}",
)
"""Queries for three or four tools (T4)."""
INVENTIONS = ("{act}", "could you {act}?", "no idea how, but {act}", "{act}, whatever suits")
"""Queries for a generator (T5)."""
INTENTS = (
    "{hint}. In the end {purpose}",
    "make sure that {purpose}: {hint}",
    "all that counts is that {purpose}; {hint}",
    "{hint}, so that {purpose}",
)
"""Queries without any noun of a tool (T6)."""
SECOND_INTENT = " and that {purpose}"

FRAMES = (
    "could you {query}?",
    "I would like you to {query}",
    "hey, {query} if you can",
    "for tomorrow's meeting: {query}",
    "next job: {query}, thanks",
)
"""Around paraphrases."""
FRAMES_OF_ANYTHING = (
    "we would be glad to have this: {query}",
    "for tomorrow's meeting: {query}",
    "here is what is needed: {query}, thanks",
    "a wish of the customer: {query}",
)
"""Around those that do not begin with a verb that `SYNONYMS` has."""
SYNONYMS = {
    "create": ("produce", "set up", "put together"),
    "make": ("turn out", "produce", "get me"),
    "add": ("put in", "insert", "bring in"),
    "apply": ("use", "lay on", "put on"),
    "generate": ("come up with", "produce", "conjure up"),
    "draw": ("sketch", "trace", "put down"),
    "set": ("fix", "choose", "define"),
    "build": ("assemble", "put together", "construct"),
    "give": ("lend", "provide", "hand"),
    "design": ("lay out", "work out", "shape"),
    "export": ("write out", "hand me", "send out"),
    "save": ("keep", "store", "put away"),
    "change": ("alter", "vary", "switch"),
    "connect": ("join", "tie together", "hook up"),
    "animate": ("bring to life", "set in motion"),
    "show": ("present", "let me see"),
    "put": ("place", "set"),
    "group": ("gather", "bundle"),
    "extrude": ("pull out", "raise"),
    "remove": ("take away", "drop"),
    "rotate": ("turn", "swivel"),
    "blend": ("mix", "merge"),
    "arrange": ("order", "lay out"),
    "fill": ("flood", "cover"),
    "link": ("tie", "join"),
    "animated": ("moving",),
    "attach": ("fasten", "fix"),
    "increase": ("raise", "turn up"),
    "reveal": ("uncover", "bring out"),
    "simplify": ("reduce", "tidy"),
    "play": ("run", "start"),
}
"""First word of a clause -> what may stand for it."""
