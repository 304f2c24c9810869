"""What names, schemas, annotations and HTTP methods say about the labels of a tool. Pure; each rule names its weight."""

from app.domain.flows.said import SpokenTool, flow_words
from app.domain.flows.values import LabelEvidence, ToolLabel
from app.domain.language.identifiers import words
from app.domain.language.operation_words import LISTING_KINDS, OperationKind
from app.domain.nodes.models import Label
from app.domain.planning.operations import Operation


def inferred_labels(operation: Operation) -> dict[Label, ToolLabel]:
    """Labels that something speaks for, or against."""
    said = SpokenTool(operation)
    found = {
        Label.UNTRUSTED_CONTENT: _untrusted(said),
        Label.PRIVATE_DATA: _private(said),
        Label.EXTERNAL_SINK: _sink(said),
        Label.DESTRUCTIVE: _destructive(said),
    }
    return {label: one for label, one in found.items() if one is not None}


def gives_untrusted(operation: Operation) -> bool:
    """Whether a tool seems to answer with what others wrote: the label alone, without the work of the others."""
    found = _untrusted(SpokenTool(operation))
    return found is not None and found.counts


def _speaks(label: Label, confidence: float) -> ToolLabel:
    return ToolLabel(label, True, LabelEvidence.INFERRED, confidence)


def _untrusted(said: SpokenTool) -> ToolLabel | None:
    label = Label.UNTRUSTED_CONTENT
    if said.runs:
        # What a command says may be anything.
        return _speaks(label, 0.6)
    takes_url = said.takes_url or ("url" in said.spoken and said.verb in flow_words("verbs", "reading"))
    if not said.reads or (said.is_documentation and not takes_url):
        return None
    # `latest_from_category` gives what stands in it.
    shapes = said.head & flow_words("answers", "shape")
    if said.head & flow_words("answers", "abstracted"):
        shapes -= flow_words("answers", "metadata")
    shaped = bool(shapes)
    about = said.name - said.given
    if said.is_of("own") and not said.is_of("shared"):
        about -= flow_words("answers", "kept")
    if said.is_public:
        about -= flow_words("answers", "chained")
    if said.is_of("models") and not said.does_one_of("scraping"):
        # A chat with a model is what the model says.
        about -= flow_words("answers", "talk")
    if "search" in said.name and (said.has("answers", "web") or said.has("answers", "advertised")):
        return _speaks(label, 0.85)
    if said.is_of("social") and said.summary & flow_words("answers", "possessive"):
        # One's own things, among all that others wrote.
        return None
    # An analysis of posts is not what they say.
    analyzes = said.act in flow_words("verbs", "analyzing") and not takes_url
    if about & flow_words("answers", "untrusted"):
        return _speaks(label, 0.5 if shaped or analyzes else 0.85)
    # What a list of a folder gives are names of documents; a sheet, or a log, is given whole.
    mixed = about & flow_words("answers", "mixed")
    if mixed - flow_words("things", "documents") or (mixed and not _names_files(said)):
        return _speaks(label, 0.4 if shaped or analyzes else 0.7)
    if said.is_of("social") and not shaped:
        return _speaks(label, 0.65)
    written = about & flow_words("answers", "shared") and not about & flow_words("answers", "people")
    if said.is_of("shared") and not shaped and written:
        return _speaks(label, 0.65)
    if said.does_one_of("scraping") and not shaped:
        return _speaks(label, 0.7)
    if takes_url and not said.has("answers", "shown"):
        # It fetches whatever stands there.
        return _speaks(label, 0.7)
    if said.tool.open_world and not shaped:
        return ToolLabel(label, True, LabelEvidence.ANNOTATION, 0.6)
    if said.summary & flow_words("answers", "untrusted"):
        return _speaks(label, 0.5)
    return None


def _names_files(said: SpokenTool) -> bool:
    """Whether a call says which files a folder has, and not what stands in them."""
    places = flow_words("things", "folders")
    listed = said.operation.kind in LISTING_KINDS
    return listed and not places.isdisjoint(said.name.union(*map(str.split, said.inputs)))


def _private(said: SpokenTool) -> ToolLabel | None:
    label = Label.PRIVATE_DATA
    own = said.is_of("own") or said.is_of("shared")
    if said.runs or (said.does_one_of("running") and (own or said.has("things", "queries"))):
        return _speaks(label, 0.6)
    if not said.reads or said.is_documentation:
        return None
    if own and said.has("things", "queries"):
        return _speaks(label, 0.65)
    if said.is_public:
        return None
    is_social = said.is_of("social")
    about = said.name - said.given
    if said.inputs & flow_words("inputs", "named"):
        # Whoever is looked up by a public name has a profile for everybody.
        about -= flow_words("answers", "people")
    if about & flow_words("answers", "owned" if is_social else "private"):
        return _speaks(label, 0.5 if said.has("answers", "described") else 0.8)
    whose = said.summary & flow_words("answers", "possessive")
    if is_social:
        return _speaks(label, 0.6) if whose else None
    if own and not said.has("answers", "settings"):
        return _speaks(label, 0.65)
    if said.summary & flow_words("answers", "private") and not said.summary & flow_words("answers", "public"):
        return _speaks(label, 0.6 if whose or said.summary & flow_words("answers", "houses") else 0.5)
    return None


def _sink(said: SpokenTool) -> ToolLabel | None:
    label = Label.EXTERNAL_SINK
    anything = _fetches_anything(said)
    spread = flow_words("things", "spread")
    # What is said to a model reaches nobody.
    talks = said.is_of("models") and said.name.isdisjoint(spread - {"message"})
    if said.tool.method == "DELETE":
        return None
    if (said.reads or talks or said.does_one_of("drafting")) and not anything:
        return None
    pays = (said.does_one_of("sending") and said.has("things", "money")) or _pays(said)
    if said.does_one_of("destroying") and said.operation.kind is not OperationKind.UPDATE and not pays:
        return None
    to, carries = sink_inputs(said.operation)
    # Whoever posts a page hands over what others will read as somebody's words.
    read_by_others = (spread | flow_words("answers", "untrusted")) - {"post"}
    hands = said.does_one_of("handing") and not said.name.isdisjoint(read_by_others)
    silent = said.has("things", "typed") or said.has("things", "signals")
    # `comment_on_page` comments; `post_price` posts a price, and `post_to_wall` whatever it is given.
    spreads = said.verb in spread and (
        said.verb not in flow_words("verbs", "handing") or said.head == {said.verb}
    )
    sends = not silent and (said.does_one_of("sending") or hands or spreads)
    closed = said.tool.open_world is False
    if anything:
        confidence = 0.5 if closed else 0.6
    elif (sends and to) or pays:
        confidence = 0.6 if closed else 0.85 if carries else 0.75
    elif sends or said.makes(spread):
        confidence = 0.5 if closed else 0.65
    elif any(_is_person(name) for name in to):
        confidence = 0.5 if closed else 0.7 if carries else 0.6
    elif to and carries:
        confidence = 0.4
    else:
        return None
    return ToolLabel(label, True, LabelEvidence.INFERRED, confidence, to, carries)


def _pays(said: SpokenTool) -> bool:
    """Whether a call says how much goes to whom."""
    return any(name.rpartition(" ")[2] == "amount" for name in said.inputs) and any(
        name == "to" or _is_person(name) for name in said.inputs
    )


def _fetches_anything(said: SpokenTool) -> bool:
    """Whether a call takes an address, a body, and a method or the name of one: it sends anything anywhere."""
    names_method = "method" in said.inputs or said.has("verbs", "handing")
    return "url" in said.inputs and names_method and bool(said.inputs & flow_words("inputs", "bodies"))


def _destructive(said: SpokenTool) -> ToolLabel | None:
    if said.reads:
        return None
    label = Label.DESTRUCTIVE
    tool, kind = said.tool, said.operation.kind
    to = target_inputs(said.operation)
    if tool.destructive is not None and not tool.method:
        return ToolLabel(label, tool.destructive, LabelEvidence.ANNOTATION, 0.9, to)
    if tool.method == "DELETE":
        return ToolLabel(label, True, LabelEvidence.METHOD, 0.9, to)
    run = said.name | said.inputs
    runs = said.does_one_of("running") and run & (
        flow_words("things", "code") | flow_words("things", "queries")
    )
    if said.runs or said.types or runs:
        return ToolLabel(label, True, LabelEvidence.INFERRED, 0.6, to)
    if kind is not OperationKind.UPDATE and (
        _pays(said) or (said.does_one_of("sending") and said.has("things", "money"))
    ):
        # What is paid is sent.
        return None
    makes = said.act in flow_words("verbs", "making") - flow_words("verbs", "writing")
    if (makes or said.does_one_of("adding")) and not (
        said.does_one_of("destroying") or said.does & flow_words("verbs", "destroying")
    ):
        # What was there stays.
        return None
    if tool.method == "PUT" and said.does & flow_words("verbs", "making"):
        return None
    if said.verb in flow_words("verbs", "destroying") or kind is OperationKind.DELETE:
        return ToolLabel(label, True, LabelEvidence.INFERRED, 0.8, to)
    if tool.method in ("PUT", "PATCH"):
        return ToolLabel(label, True, LabelEvidence.METHOD, 0.6, to)
    manages = said.does_one_of("managing") and said.summary & flow_words("verbs", "ending")
    writes = (
        said.does_one_of("writing")
        and not said.has("things", "spread")
        and not said.has("answers", "untrusted")
    )
    destroys = (said.name | said.does) & flow_words("verbs", "destroying") and not said.has("things", "typed")
    if manages or writes or destroys or kind is OperationKind.UPDATE:
        return ToolLabel(label, True, LabelEvidence.INFERRED, 0.6, to)
    return None


def target_inputs(operation: Operation) -> tuple[str, ...]:
    """Inputs that say what a call is about; all of one that deletes, and what lets somebody in, of one that overwrites.

    Properties of the top level of the input schema, in their order.
    """
    deletes = operation.kind is OperationKind.DELETE
    found: dict[str, None] = {}
    for item in operation.inputs:
        said = words(item.name)
        if deletes or item.location == "path" or (said and said[-1] in flow_words("inputs", "targets")):
            found[item.pointer[0]] = None
    return tuple(found)


def sink_inputs(operation: Operation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Inputs that say where something goes, and those that go there; properties of the top level, in their order."""
    to: dict[str, None] = {}
    carries: dict[str, None] = {}
    for item in operation.inputs:
        found = words(item.name)
        if not found:
            continue
        named = {found[-1], found[0], " ".join(found)}
        if (
            item.location != "path"
            and named & flow_words("inputs", "carried")
            and item.type in ("string", "array", "object", "")
        ):
            carries[item.pointer[0]] = None
        elif named & flow_words("inputs", "destinations"):
            to[item.pointer[0]] = None
    return tuple(to), tuple(name for name in carries if name not in to)


def _is_person(parameter: str) -> bool:
    found = words(parameter)
    return bool(found) and bool({found[-1], found[0]} & flow_words("inputs", "people"))


def is_made_by_service(pointer: str) -> bool:
    """Whether a place in an answer holds what the service itself makes up: an id, a number, a moment, a state."""
    last = next(
        (part for part in reversed(pointer.split("/")) if part and part != "*" and not part.isdigit()), ""
    )
    found = words(last)
    return bool(found) and found[-1] in flow_words("fields", "made")


def names_party(pointer: str) -> bool:
    """Whether a place in an answer holds who somebody is: the service fills that in, and they write it not themselves."""
    parts = [part for part in pointer.split("/") if part and part != "*" and not part.isdigit()]
    return any(word in flow_words("fields", "parties") for part in parts[-2:] for word in words(part)[-1:])


def is_carried(parameter: str) -> bool:
    """Whether an input takes text or files that its tool passes on."""
    found = words(parameter.rpartition("/")[2])
    return bool(found) and bool({found[-1], found[0]} & flow_words("inputs", "carried"))
