"""What a catalogue is known by, counted over all its tools."""

import numpy as np

from app.domain.packed.texts import Vocabulary
from app.domain.planning.indexed.columns import Counting, PathKeys, PlanColumns
from app.domain.planning.indexed.facts import FIELDS, Fact
from app.domain.planning.indexed.operations import ReadOperations
from app.domain.ranking.views import DocumentView


def counted_columns(operations: ReadOperations, paths: PathKeys) -> PlanColumns:
    """What a catalogue is known by, counted over all its tools."""
    words, written = Vocabulary(), Vocabulary()
    counting = Counting(words, written)
    for at in range(len(operations.tools)):
        counting.add(operations.facts(at))
    facts = DocumentView.of_facts(counting.facts())
    known = {words.term(number) for number in facts.held_in(Fact.WORD).tolist()}
    servers = sorted({tool.server for tool in operations.tools})
    code = {server: number for number, server in enumerate(servers)}
    codes = (code[tool.server] for tool in operations.tools)
    return PlanColumns(
        words=words,
        written=written,
        texts=DocumentView.of_all(counting.texts(known.__contains__), FIELDS),
        facts=facts,
        servers=tuple(servers),
        server_codes=np.fromiter(codes, np.int32, len(operations.tools)),
        kinds=counting.kinds,
        mutating=counting.mutating,
        paths=paths,
        naming=DocumentView.of_facts(counting.naming()),
        category_lists=counting.lists,
        listed=counting.listed,
        lends=counting.lends,
    )
