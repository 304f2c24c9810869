"""The inputs of an operation as values see them: which words name each, which type it takes, what fits its form."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise, takewhile

from app.domain.filling.bounds import input_bound
from app.domain.filling.listed import listed_values
from app.domain.filling.members import (
    ExplainedMember,
    Member,
    NamedMember,
    beginnings,
    explained,
    first_sentence,
    named_members,
    only_of_each,
    with_stems,
)
from app.domain.language.goal_words import persons
from app.domain.language.identifiers import FILTERING, ID_WORDS, pieces, singular, words
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.negation import first_denial
from app.domain.language.operation_words import LISTING_KINDS, SEARCH_PARAMETERS
from app.domain.language.text import split_words, stem
from app.domain.planning.operations import Operation
from app.domain.reading.tokens import HOST_NAME, value_words
from app.domain.schemas.tool_schemas import ITEM, Input
from app.domain.schemas.walk import parsed_schema
from app.lexicon.lists import table

UNIT_WITHIN = 80
"""Characters of a description in which it says what it counts: about a line."""
_EPOCH = re.compile(r"\b(?:unix|epoch)\b", re.IGNORECASE)
_WORD = re.compile(r"\w++")
_SHORT_UNITS = {"ms": "millisecond", "millis": "millisecond", "secs": "second", "mins": "minute"}
"""Short forms of units in names; `min` is a minimum."""
_DOERS = ("ee", "er", "or")
"""Endings of whom a verb is done to or by."""
_JOINTS = frozenset(
    ("or", "and", "of", "in", "the", "to", "is", "has", "by", "for", "with", "at", "a", "num", "exposed")
)
"""Words in names that name nothing."""
_SEARCHED = SEARCH_PARAMETERS | {"text", "string", "phrase", "value"}
"""Words of names of inputs for whatever is searched for: `searchTerm`, `query_string`."""
_SHAPE = re.compile(r"[A-Z]+|[a-z]+|\d+|[^A-Za-z\d]")
_NUMBERS = (("number",), ("code",), ("serial",))
"""Last words of names of what things may be known by."""
_PREFIX = re.compile(r"^([A-Za-z]{1,12}[_:])")
_GLUED = re.compile(r"^(.{3,}?)(name|id|key|code|slug|number)s?$")
_OF_THE = re.compile(r"\b(?:of|for) (?:the|a|an) ([a-z]+(?: [a-z]+){0,3})", re.IGNORECASE)
_OF_THIS = re.compile(r"\b(?:of|for) this ([a-z]+(?: [a-z]+){0,3})", re.IGNORECASE)
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
"""An id of random bits (RFC 9562, section 4), which is nothing's name."""
_UNAVAILABLE = re.compile(
    r"\b(?:no longer available|is deprecated|this (?:field|parameter) is deprecated|closing down)\b",
    re.IGNORECASE,
)
_ID_DESCRIBED = re.compile(
    r"^(?:the |an? |unique |encoded )*(?:[a-z]+ ){0,2}(?:(?:[gs]|uu|gu)?id|identifier)s?\b"
    r"|\b(?:this|these|whose) (?:[a-z]+ )?(?:id|identifier)s?\b",
    re.IGNORECASE,
)
_COMMAS = re.compile(r"\bcomma[- ](?:separated|delimited)\b", re.IGNORECASE)
_PHONE_DESCRIBED = re.compile(
    r"\b(?:(?:tele)?phone|mobile|cell|recipient|receiver|destination)(?:'?s)? (?:phone )?numbers?\b",
    re.IGNORECASE,
)
_HOSTS = frozenset(("domain", "host", "hostnam", "fqdn", "dn"))
"""Stems of what inputs are called that take the name of a machine or a domain."""
ID_STEMS = frozenset(("id", "key", "type"))
"""Stems of what inputs are called that take no name of a thing."""
_HOST_DESCRIBED = re.compile(r"(?:the |a |fully qualified )*(?:domain|host) ?name\b", re.IGNORECASE)
_URL_DESCRIBED = re.compile(r"\W*+(?:\w++\W++){0,3}?(?:url|uri|webhook|web address)\b", re.IGNORECASE)
"""How the description begins of an input that takes an address of the web."""
_PREFIX_SAID = re.compile(r"(?<![A-Za-z0-9_])([a-z]{2,6}_)(?=[^A-Za-z0-9_]|$|[A-Za-z0-9]*\d)")
"""A document says so how ids begin: `starts with bld_`, `such as bld_7f3a`."""
_PREFIX_WITHIN, _EXAMPLE_CHARS = 500, 40
"""Characters of a description, and of an example, in which that is looked for."""
_DATE_FORM = re.compile(r"\bYYYY-MM-DD|\bISO[- ]?8601\b|\bRFC[- ]?3339\b", re.IGNORECASE)
_NETWORK_NAMES = frozenset(("ip", "cidr", "ipv4", "network", "subnet"))
_NETWORK_DESCRIBED = re.compile(r"\b(?:cidr|ip(?:v4)? (?:address|range)(?:es|s)?)\b", re.IGNORECASE)
_TIME_OF_DAY = re.compile(r"\d\d?:\d\d(?::\d\d)?")
_HH_MM = re.compile(r"(?<![-/\w])(?<!dd )hh:mm(?!\w)|\b24[- ]hour (?:clock|format|time)\b", re.IGNORECASE)
_NUMBER_OF = re.compile(r"\b([a-z]{3,20}) (?:numbers?|references?|codes?|keys?)\b")
_KNOWN_OF = re.compile(r"^(?:the )?(?:timestamp|ts) of (?:the|an?) ([a-z]{3,20})\b")
"""What is known by when it was made, as messages of a chat are: `Timestamp of the message to pin`."""
_SECRET = re.compile(
    r"(?:the |an? |your )?(?:api key|(?:oauth(?: 2\.0)?|access|auth(?:entication)?|bearer) tokens?)\b",
    re.IGNORECASE,
)
_ITS_ID = re.compile(r"\b([A-Za-z]{3,20}) IDs?\b")
"""A capitalised ID in a description, and what it is of: `the YouTube video ID`."""
_NOTHING_BUT_ID = re.compile(r"([A-Z][a-z]{2,20}) I[Dd]\.?")
"""A description that says nothing else: `Order Id`."""
_EXPRESSION = re.compile(
    r"\b(?:odata|json[- ]encoded|(?:filter|query|search|boolean) (?:clause|expression|syntax|language)|lucene)\b",
    re.IGNORECASE,
)
"""A description says so of an input that takes a small language rather than a text."""
_MADE_FROM = re.compile(
    r"^(?:create|make|copy|clone|import)[a-z]*+ (?:[a-z]++ ){1,3}?(from|into)\b", re.IGNORECASE
)
"""How a description says that an input is one end of what is made."""
_FALSE_TO = "false to "
"""Leads to what it means that a switch is off."""
_SPEAKING_OF_OFF = frozenset(("false", "disabled", "off", "inactive", "unset", "or"))
"""A sentence with one of these says what it is to be off, too."""
_CLAUSES = re.compile(r"[,;.]|\b(?:and|but)\b")
_OR_NAME = re.compile(
    r"\b(?:name|key|slug|login)s? or |\bor (?:the |its )?(?:name|key|slug|login)\b", re.IGNORECASE
)
SPOKEN_IDS = frozenset(("key", "name", "slug", "login", "email", "username", "code", "title"))
"""What people know a thing by; an input that takes one of these is no riddle."""
_DESCRIPTION_START = 120
_SWITCH_WORDS = frozenset(("is", "has", "should", "be", "can", "do", "at", "the", "of", "in", "for"))
_SWITCHING = frozenset(("auto", "use", "enable", "enabled", "allow", "allowed"))
"""They say no more than that something is on, where a name has other words: `autoRenew`, but not `enabled`."""
_EMAIL = "email"
_ADDRESSED = "address"
_COUNTING_WORDS = frozenset(("number", "no", "index", "num", "position"))
_TEXT_FORMATS = ("", "markdown", "html", "text", "string")
"""Formats that any text has; some documents write the type once more."""
SHALLOW = 2
"""Members of a JSON pointer to an input of the body itself, which documents may wrap in one object."""
_SET_WITHIN = 3
"""Members of a JSON pointer to what words of a task may set."""
_ONLY_IF = re.compile(r"\bif `(\w{1,60})` is (?:set to )?`(\w{1,60})`")
_ADDRESS = re.compile(r"\w@\w{2,63}\.")
_CENTS = re.compile(
    r"\bcents?\b|\bpence\b|\bsmallest (?:currency )?unit\b|\bminor (?:currency )?units?\b", re.IGNORECASE
)


def speaks_of_email(description: str) -> bool:
    """Whether a description speaks of e-mail, or shows an address: `The user principal name (someuser@contoso.com)`."""
    return "email" in description.lower() or _ADDRESS.search(description) is not None


def prefixes_said(
    description: str, examples: Iterable[str] = (), *, form: re.Pattern[str] = _PREFIX_SAID
) -> frozenset[str]:
    """How ids begin, as a description of them or examples say, in an expression for such beginnings."""
    texts = (description[:_PREFIX_WITHIN], *(example[:_EXAMPLE_CHARS] for example in examples))
    return frozenset(start for text in texts for start in form.findall(text))


def stems(*names: str) -> frozenset[str]:
    """Stems of the words of names, without those that name nothing."""
    return frozenset(stem(word) for name in names for word in words(name) if word not in _JOINTS)


def _explained(value: Member, name: frozenset[str], said: str) -> ExplainedMember:
    """A member with the stems of what is said of it, and of what is denied; each adverb in one word: `for good` is permanently."""
    for phrase, adverb in table("reading")["adverbials"]:
        said = said.replace(phrase, adverb)
    stated: set[str] = set()
    denied: set[str] = set()
    for clause in _CLAUSES.split(said):
        at = first_denial(clause)
        stated.update(map(stem, pieces(clause[:at])))
        denied.update(map(stem, pieces(clause[at:])))
    return ExplainedMember(value, name, frozenset(stated) - name, frozenset(denied))


@cache
def _comparing() -> frozenset[str]:
    """Words behind the name of what a filter compares, as `words` gives them."""
    return frozenset(word for comparing in table("inputs")["comparing"] for word in words(comparing))


@dataclass(frozen=True)
class Form:
    """One input."""

    item: Input
    names: frozenset[str]
    """Stems that say which thing its value is."""
    own: frozenset[str]
    """Stems of its own name."""
    described: frozenset[str]
    """Stems of the things that its description says it is of: (user) for `The account ID of the user`."""

    is_context: bool
    """Whether most calls of the server require it: a workspace, an account."""
    is_whole: bool = False
    """Whether it is the whole body."""
    heads: frozenset[str] = frozenset()
    """Of the names the last word, as what a compound names: (type) for `issueTypeId`, (user) for `invited_user`."""

    in_cents: bool = False
    """Whether the document says that it, or another amount, counts the smallest unit of a currency."""

    @cached_property
    def joined_name(self) -> str:
        """Its name in the lower case, without what stands between its words: `lastname` for `last_name`."""
        return "".join(words(self.item.name))

    @cached_property
    def filters_by(self) -> str:
        """Of a filter, what it compares, without the words for how: `name` for `name_contains`, and `search` for `searchTerm`."""
        said = list(words(self.item.name))
        if self.item.location == "query" and len(said) > 1 and _SEARCHED.issuperset(said):
            return "search"
        while self.item.location == "query" and len(said) > 1 and said[-1] in _comparing():
            said.pop()
        return "".join(said)

    @cached_property
    def compounds(self) -> frozenset[str]:
        """Stems of every two words of its name that stand side by side, written together: (checkout, outdat) for `checkOutDate`."""
        return frozenset(stem("".join(pair)) for pair in pairwise(words(self.item.name)))

    @cached_property
    def name_stems(self) -> tuple[str, ...]:
        """Stems of all words of its name, in order."""
        return tuple(stem(word) for word in words(self.item.name))

    @cached_property
    def switch(self) -> tuple[str, ...]:
        """Stems of what it switches on, if it is a switch: (privat,) for `is_private`."""
        return switch_words(self.item.name) if is_switch(self.item) else ()

    def switched(self, *, on: bool) -> bool | int:
        """What turns it on, or off."""
        return on if self.item.type == "boolean" else int(on)

    @cached_property
    def is_free_text(self) -> bool:
        """Whether it takes any text."""
        item = self.item
        if self.is_whole and not item.type:
            # A body of no type is a file as often as not.
            return False
        return (
            (item.type in ("string", "") or (item.is_list and item.item_type in ("string", "")))
            and not item.enum
            and not item.is_container
            and item.format in _TEXT_FORMATS
            and not self.is_expression
        )

    @cached_property
    def is_expression(self) -> bool:
        """Whether it takes an expression of some language, as OData's `$filter` does, which no name is."""
        return self.item.name.startswith("$") or bool(
            _EXPRESSION.search(self.item.description[:_DESCRIPTION_START])
        )

    @cached_property
    def is_number(self) -> bool:
        """Whether it takes a number, or a list of them."""
        return self.item.type in ("integer", "number") or self.item.item_type in ("integer", "number")

    @cached_property
    def identifies(self) -> bool:
        """Whether its value identifies one thing."""
        name = words(self.item.name)
        if self.item.location == "path":
            return True
        if bool(name) and name[-1] in ID_WORDS - {"name", "url", "uri", "version", "code", "number"}:
            return True
        is_one = self.item.type in ("string", "integer", "") or self.item.is_list
        return is_one and bool(_ID_DESCRIBED.search(self.item.description[:_DESCRIPTION_START]))

    @cached_property
    def may_identify(self) -> bool:
        """Whether it identifies one thing, or is called as what may: by a number, a code."""
        last = words(self.item.name)[-1:]
        return self.identifies or tuple(map(singular, last)) in _NUMBERS

    @cached_property
    def is_unavailable(self) -> bool:
        """Whether the document says that it is not to be used any more."""
        return bool(_UNAVAILABLE.search(self.item.description))

    @cached_property
    def is_opaque(self) -> bool:
        """Whether it takes an id that nobody knows by heart: what people call a thing has to be looked up first."""
        name = words(self.item.name)
        if SPOKEN_IDS & {*name}:
            return False
        if _OR_NAME.search(self.item.description[:_DESCRIPTION_START]):
            return False
        last = name[-1:]
        if last in (("id",), ("uuid",), ("guid",), ("sid",), ("pk",)) or self.item.format == "uuid":
            return True
        start = self.item.description[:_DESCRIPTION_START]
        return bool(_ID_DESCRIBED.search(start)) and not SPOKEN_IDS & {*words(start)}

    @cached_property
    def takes_time_of_day(self) -> bool:
        """Whether it takes a time without a date: by its format (RFC 3339, full-time), its examples, or as its description says."""
        examples = [one for one in self.item.examples if isinstance(one, str)]
        shown = bool(examples) and all(map(_TIME_OF_DAY.fullmatch, examples))
        said = _HH_MM.search(self.item.description[:_DESCRIPTION_START]) is not None
        return not self.takes_date and (self.item.format == "time" or shown or said)

    @cached_property
    def takes_phone(self) -> bool:
        """Whether it takes a text that is a telephone number, as its description says."""
        return "string" in (self.item.type, self.item.item_type) and bool(
            _PHONE_DESCRIBED.search(self.item.description[:_DESCRIPTION_START])
        )

    @cached_property
    def is_phone(self) -> bool:
        """Whether it is called as a telephone number is, and is no part of what a call takes several of."""
        if ITEM in self.item.pointer:
            return False
        name = words(self.item.name)
        called = "".join(name[:-1] if name[-1:] == ("number",) else name)
        return called in table("inputs")["phones"] and not self.item.enum and self.item.type in ("string", "")

    @cached_property
    def takes_zone(self) -> bool:
        """Whether it is called as a time zone is: `timeZone`, `start_timezone`, `tz`."""
        name = words(self.item.name)
        return bool(name) and ("".join(name[-2:]).endswith("timezone") or name[-1] == "tz")

    @cached_property
    def takes_handle(self) -> bool:
        """Whether it is called as what people are called by behind an `@`: `screen_name`."""
        return self.joined_name in table("inputs")["handles"]

    @cached_property
    def takes_url(self) -> bool:
        """Whether it takes a text that is an address of the web, as its description says: `callback`, a URL that is sent to."""
        return (
            "string" in (self.item.type, self.item.item_type)
            and _URL_DESCRIBED.match(self.item.description) is not None
        )

    @cached_property
    def takes_host_name(self) -> bool:
        """Whether it takes the name of a machine or a domain, and not a part of one: `Domain name of the zone`."""
        if "string" not in (self.item.type, self.item.item_type) or self.item.enum:
            return False
        named = not self.own.isdisjoint(_HOSTS) and self.own.isdisjoint(ID_STEMS)
        described = _HOST_DESCRIBED.match(self.item.description) is not None
        shown = [one for one in self.item.examples if isinstance(one, str)]
        return (named or described) and (not shown or any(map(HOST_NAME.fullmatch, shown)))

    @cached_property
    def takes_date(self) -> bool:
        """Whether it takes a date, as `is_dated` has it."""
        return is_dated(self.item)

    @cached_property
    def takes_network(self) -> bool:
        """Whether it takes an address of a machine or of a network, as its name or its description says: `CIDR ranges`."""
        named = not _NETWORK_NAMES.isdisjoint(words(self.item.name))
        return named or _NETWORK_DESCRIBED.search(self.item.description[:UNIT_WITHIN]) is not None

    @cached_property
    def is_state(self) -> bool:
        """Whether it takes the state that a thing is in, or its id: `status`, `project_status_id`."""
        item = self.item
        if item.location == "path" or item.is_container or len(item.pointer) > SHALLOW:
            return False
        called = [word for word in words(item.name) if word not in ID_WORDS]
        return any(word in table("inputs")["states"] for word in called[-1:])

    @cached_property
    def is_of_person(self) -> bool:
        """Whether its value identifies somebody, by its name or its description."""
        item = self.item
        # `The account on behalf of which ...` describes more than whose id is meant, and numbers that are no ids count.
        is_id = self.is_whole or not ID_WORDS.isdisjoint(words(item.name)[-1:])
        counts = self.is_number and not is_id
        is_other = item.is_container or item.enum or counts or item.type == "boolean"
        # `as_user` is no user.
        is_of_more = not self.described and len(self.own - ID_WORDS) > 1
        if is_other or is_of_more or item.location not in ("path", "query", "body") or len(item.pointer) > 1:
            return False
        return not (self.heads | (self.described if is_id else frozenset())).isdisjoint(persons())

    @cached_property
    def numbered(self) -> frozenset[str]:
        """Stems of the things whose number it holds, as its description says: (order) for `reference`, `usually your order number`."""
        if self.item.type not in ("string", "integer", "number", "") or self.item.enum:
            return frozenset()
        said = self.item.description[:_DESCRIPTION_START].lower()
        return frozenset(map(stem, (*_NUMBER_OF.findall(said), *_KNOWN_OF.findall(said))))

    @cached_property
    def persons_described(self) -> frozenset[str]:
        """Stems of the people that its description speaks of: (agent) for `assigneeId`, `Agent who owns it`."""
        return persons().intersection(
            map(stem, map(singular, words(self.item.description[:_DESCRIPTION_START])))
        )

    @cached_property
    def is_message(self) -> bool:
        """Whether it takes what somebody writes: a text, a message, a note."""
        return self.joined_name in table("inputs")["written"]

    @cached_property
    def end_described(self) -> str:
        """The preposition of the end that its description says it is: `from` for `Create branch from a commit`."""
        if not (
            self.is_free_text and self.item.location in ("query", "body") and len(self.item.pointer) == 1
        ):
            return ""
        found = _MADE_FROM.search(self.item.description[:_DESCRIPTION_START])
        return found[1].lower() if found else ""

    @cached_property
    def said_members(self) -> tuple[str, ...]:
        """The values that its description lists, where the document has no enum: `Values can be public or private`."""
        searches = self.joined_name in table("inputs")["searches"]
        is_open = self.item.enum or searches or not self.is_free_text
        return () if is_open else listed_values(self.item.description)

    @cached_property
    def named_members(self) -> tuple[NamedMember, ...]:
        """The members of its enum, or of the numbers that its description names."""
        return with_stems(named_members(self.item))

    @cached_property
    def members(self) -> tuple[NamedMember, ...]:
        """Likewise, or the values that its description lists."""
        return self.named_members or with_stems((one, one) for one in self.said_members)

    @cached_property
    def explained(self) -> tuple[ExplainedMember, ...]:
        """What its members, or being on, mean, as their names and the description say."""
        return only_of_each(self._explained_switch() if self.switch else self._explained_members())

    def _explained_switch(self) -> list[ExplainedMember]:
        """What it means that a switch is on, and where the description says so, that it is off."""
        said = first_sentence(self.item.description)
        speaks_of_off = not _SPEAKING_OF_OFF.isdisjoint(pieces(said))
        on = _explained(self.switched(on=True), stems(self.item.name), "" if speaks_of_off else said)
        # `Set to false to cancel silently` says what it is to be off.
        off = said.lower().partition(_FALSE_TO)[2]
        return [on, _explained(self.switched(on=False), frozenset(), off)] if off else [on]

    def _explained_members(self) -> list[ExplainedMember]:
        """What each text of an enum means; numbers have their names alone."""
        names: dict[str, list[str]] = {}
        for one in self.members:
            if isinstance(one.value, str):
                names.setdefault(one.value, []).extend(one.stems)
        return [
            _explained(value, frozenset(name), explained(value, names, self.item.description))
            for value, name in names.items()
        ]

    @cached_property
    def called(self) -> frozenset[str]:
        """Its name in the lower case, and the stem of it where it is a single word."""
        return frozenset((self.item.name.lower(), *(self.own if len(self.own) == 1 else ())))

    @cached_property
    def bound(self) -> int:
        """Which end of a period it takes, `bounds.input_bound`."""
        return input_bound(self.item)

    @cached_property
    def counts_from_epoch(self) -> bool:
        """Whether it takes a time as the seconds since 1970."""
        return _counts_from_epoch(self.item)

    @cached_property
    def counted_unit(self) -> str:
        """The unit that it is a number of, as `values.toml` calls it: `second` of `sinceSeconds`; empty where the document names none."""
        plurals = _plural_units()
        in_names = {**plurals, **_SHORT_UNITS}
        described = self._first_words
        found = {in_names[word] for word in split_words(self.item.name) if word in in_names} or {
            plurals[word] for word in described if word in plurals
        }
        return next(iter(found)) if len(found) == 1 else ""

    @cached_property
    def counted(self) -> frozenset[str]:
        """Stems of what its description says that it is a number of: (line, end) for `Lines from the end`."""
        return stems(*self._first_words) if self.is_number and not self.identifies else frozenset()

    @cached_property
    def _first_words(self) -> Sequence[str]:
        """The words that its description begins with, in the lower case."""
        return _WORD.findall(self.item.description[:UNIT_WITHIN].lower())

    @cached_property
    def is_joined(self) -> bool:
        """Whether its description says that one text holds several values with commas between them."""
        return self.item.type == "string" and bool(_COMMAS.search(self.item.description))

    @cached_property
    def says_type(self) -> bool:
        """Whether it says of which type something is: `subjectType`."""
        return self.name_stems[-1:] == ("type",)

    @cached_property
    def begins(self) -> str:
        """How its ids begin, as its own description or example says: `bld_`; empty where several do, or something else may stand there."""
        said = prefixes_said(self.item.description, self.item.examples)
        alone = self.identifies and self.item.type == "string" and " or " not in self.item.description
        return next(iter(said)) if alone and len(said) == 1 else ""

    @cached_property
    def takes_uuids(self) -> bool:
        """Whether it takes nothing but UUIDs, as its format or all of its examples say."""
        shown = self.item.examples
        return self.item.format == "uuid" or (bool(shown) and all(UUID.fullmatch(str(one)) for one in shown))

    def has_shape(self, text: str) -> bool:
        """Whether a text looks like the input's own examples, which all numbers do; in paths and queries all ids of digits, and dates."""
        is_common = self.item.location in ("path", "query") and (self.takes_date or text.isdecimal())
        if self.is_number or is_common:
            return False
        return any(_same_shape(example, text) for example in self.item.examples)


@cache
def _plural_units() -> Mapping[str, str]:
    """A unit that others can be said in, written out in the plural -> what it is called."""
    convertible = {unit for kind in table("values")["factors"].values() for unit in kind}
    return {
        word: unit
        for word, unit in value_words().units.items()
        if unit in convertible and len(word) > len(unit) and word.endswith("s")
    }


def _same_shape(example: str, text: str) -> bool:
    prefix = _PREFIX.match(example)
    if prefix:
        return text.startswith(prefix[1])
    return _shape(example) == _shape(text) and any(char.isdigit() for char in text)


def _shape(text: str) -> tuple[str, ...]:
    found = []
    for part in _SHAPE.findall(text[:100]):
        found.append("A" if part.isupper() else "a" if part.isalpha() else "9" if part.isdigit() else part)
    return tuple(found)


@dataclass(frozen=True)
class OperationForm:
    """The inputs that values may fill; credentials are left out."""

    operation: Operation
    forms: tuple[Form, ...]

    @cached_property
    def resource(self) -> frozenset[str]:
        """Stems of what the call is about."""
        return stems(*self.operation.resource)

    @cached_property
    def by_stem(self) -> dict[str, list[int]]:
        """Stem -> inputs that it names."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, form in enumerate(self.forms):
            described = form.described if form.may_identify else frozenset()
            for word in form.names | form.own | form.compounds | described:
                found[word].append(at)
        return dict(found)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """Stems of the words of the operation's name, title and path."""
        tool = self.operation.tool
        literals = [segment.text for segment in self.operation.segments if segment.is_noun]
        return stems(tool.name, tool.title, *literals)

    @cached_property
    def whole(self) -> str:
        """The input that is the whole body; empty where a body's properties are inputs of their own."""
        return next((form.item.name for form in self.forms if form.is_whole), "")

    @cached_property
    def described_ends(self) -> Mapping[str, int]:
        """Preposition -> the only input of a call that changes something which is described as that end."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, form in enumerate(self.forms):
            if form.end_described:
                found[form.end_described].append(at)
        return {end: places[0] for end, places in found.items() if len(places) == 1}

    @cached_property
    def doers(self) -> Mapping[str, Sequence[int]]:
        """Stem of a verb -> positions of the inputs that are called after whom it is done to or by: (assign) for `assignees`."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, form in enumerate(self.forms):
            last = tuple(word for word in words(form.item.name) if word not in ID_WORDS)[-1:]
            if (
                last
                and last[0].endswith(_DOERS)
                and not form.item.is_container
                and form.item.location != "header"
            ):
                found[stem(last[0][:-2])].append(at)
        return dict(found)

    @cached_property
    def by_word(self) -> Mapping[str, Sequence[int]]:
        """Positions of the inputs that are called by a single word, by it in the lower case and by its stem."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, form in enumerate(self.forms):
            for word in form.called:
                found[word].append(at)
        return dict(found)

    @cached_property
    def by_phrase(self) -> Mapping[str, Sequence[int]]:
        """Positions of the inputs that are called by several words, by these joined: `lastname`, `last_name`."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, form in enumerate(self.forms):
            found[form.joined_name].append(at)
        return dict(found)

    @cached_property
    def first_and_last_names(self) -> tuple[tuple[Form, Form], ...]:
        """The inputs for a first and a last name that stand side by side, where no whole name stands beside them."""
        lists = table("inputs")
        beside: defaultdict[tuple[str, ...], dict[str, Form]] = defaultdict(dict)
        for form in self.forms:
            beside[form.item.pointer[:-1]][form.joined_name] = form
        found = []
        for by_name in beside.values():
            first, last, whole = (
                next((by_name[name] for name in lists[key] if name in by_name), None)
                for key in ("first_names", "last_names", "whole_names")
            )
            if first is not None and last is not None and whole is None:
                found.append((first, last))
        return tuple(found)

    @cached_property
    def owns(self) -> frozenset[frozenset[str]]:
        """What inputs are called, each by the stems of its own name."""
        return frozenset(form.own for form in self.forms)

    @cached_property
    def exemplified(self) -> tuple[tuple[int, Form], ...]:
        """The inputs that have examples, with their positions."""
        return tuple((at, form) for at, form in enumerate(self.forms) if form.item.examples)

    @cached_property
    def speaking_of_email(self) -> tuple[int, ...]:
        """Positions of the inputs whose descriptions speak of e-mail, or whose format is its."""
        return tuple(
            at
            for at, form in enumerate(self.forms)
            if form.item.format == _EMAIL or speaks_of_email(form.item.description)
        )

    @cached_property
    def addresses(self) -> tuple[int, ...]:
        """Positions of the texts that are addresses by their names."""
        return tuple(
            at for at, form in enumerate(self.forms) if singular(form.item.name.lower()).endswith(_ADDRESSED)
        )

    @cached_property
    def by_numbered(self) -> Mapping[str, Sequence[int]]:
        """Stem of a thing -> positions of the inputs that hold its number, as their descriptions say."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, form in enumerate(self.forms):
            for word in form.numbered:
                found[word].append(at)
        return dict(found)

    @cached_property
    def taking_host_names(self) -> tuple[int, ...]:
        """Positions of the inputs that take names of machines and domains."""
        return tuple(at for at, form in enumerate(self.forms) if form.takes_host_name)

    @cached_property
    def taking_phones(self) -> tuple[int, ...]:
        """Positions of the inputs that take telephone numbers."""
        return tuple(at for at, form in enumerate(self.forms) if form.takes_phone or form.is_phone)

    @cached_property
    def taking_zones(self) -> tuple[int, ...]:
        """Positions of the inputs that take time zones."""
        return tuple(at for at, form in enumerate(self.forms) if form.takes_zone)

    @cached_property
    def taking_handles(self) -> tuple[int, ...]:
        """Positions of the inputs that take what people are called by behind an `@`."""
        return tuple(at for at, form in enumerate(self.forms) if form.takes_handle)

    @cached_property
    def taking_urls(self) -> tuple[int, ...]:
        """Positions of the inputs that take addresses of the web."""
        return tuple(at for at, form in enumerate(self.forms) if form.takes_url)

    @cached_property
    def taking_networks(self) -> tuple[int, ...]:
        """Positions of the inputs that take addresses of machines or networks."""
        return tuple(at for at, form in enumerate(self.forms) if form.takes_network)

    @cached_property
    def of_kinds(self) -> tuple[tuple[Form, tuple[Form, ...]], ...]:
        """The inputs that say by an enum of which kind a thing is, each with those that take its id: `subjectType`, `subjectId`."""
        return tuple(
            (form, tuple(other for other in self.forms if other.name_stems == (*form.name_stems[:-1], "id")))
            for form in self.forms
            if form.says_type and form.item.enum
        )

    @cached_property
    def last_place(self) -> Form | None:
        """The parameter that stands last in the path, whatever follows it."""
        last = self.operation.last_parameter
        return next(
            (form for form in self.forms if form.item.location == "path" and form.item.name == last), None
        )

    @cached_property
    def needed_ids(self) -> tuple[Form, ...]:
        """The inputs that are required and identify something."""
        return tuple(form for form in self.forms if form.item.required and form.identifies)

    @cached_property
    def item_names(self) -> frozenset[str]:
        """The names of the inputs."""
        return frozenset(form.item.name for form in self.forms)

    @cached_property
    def titles(self) -> tuple[Form, ...]:
        """The inputs that hold what a thing is called."""
        titles = table("inputs")["titles"]
        return tuple(form for form in self.forms if form.joined_name in titles)

    @cached_property
    def chooses_id(self) -> bool:
        """Whether callers have to choose the id of what the call makes."""
        return any(form.item.required and form.item.name == "id" for form in self.forms)

    @cached_property
    def action_stems(self) -> frozenset[str]:
        """Stems of the words of the call's name, and of what its path ends with."""
        last = self.operation.segments[-1:]
        ends = words(last[0].text) if last and not last[0].is_parameter else ()
        return frozenset(map(stem, (*self.operation.name_words, *ends)))

    @cached_property
    def noun_stems(self) -> frozenset[str]:
        """Stems of the words of the path's nouns."""
        nouns = (segment.text for segment in self.operation.segments if segment.is_noun)
        return frozenset(stem(word) for noun in nouns for word in words(noun))

    @cached_property
    def settable(self) -> tuple[Form, ...]:
        """The inputs that words of a task may set; neither the deepest nor those that only shape an answer."""
        return tuple(
            form
            for form in self.forms
            if len(form.item.pointer) <= _SET_WITHIN
            and form.item.location not in ("header", "cookie", "path")
            and not is_shaping(form.item)
        )

    @cached_property
    def reasons(self) -> tuple[Form, ...]:
        """The inputs of a change that say why it is made."""
        return tuple(
            form
            for form in (self.settable if self.operation.mutating else ())
            if not {*words(form.item.name)[-1:]}.isdisjoint(table("inputs")["reasons"])
        )

    @cached_property
    def needed_members(self) -> tuple[Form, ...]:
        """The enums that a change has to have."""
        return tuple(
            form
            for form in (self.settable if self.operation.mutating else ())
            if form.item.required and form.members and form.item.location == "body"
        )

    @cached_property
    def settable_by_beginning(self) -> Mapping[str, Sequence[int]]:
        """`beginnings` of the words of switches and members -> places of the inputs in `settable`."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, form in enumerate(self.settable):
            said = {*form.switch, *(word for member in form.members for word in member.stems)}
            for beginning in frozenset().union(*map(beginnings, said)):
                found[beginning].append(at)
        return dict(found)

    @cached_property
    def settable_by_explanation(self) -> Mapping[str, Sequence[tuple[int, ExplainedMember]]]:
        """Stem of a name or an explanation -> places of the inputs in `settable`, and what is so called or explained."""
        found: defaultdict[str, list[tuple[int, ExplainedMember]]] = defaultdict(list)
        for at, form in enumerate(self.settable):
            for member in form.explained:
                for word in member.name | member.stated | member.denied:
                    found[word].append((at, member))
        return dict(found)

    @cached_property
    def switches(self) -> tuple[Form, ...]:
        """The inputs that are switches."""
        return tuple(form for form in self.forms if form.switch)

    @cached_property
    def single_switches(self) -> frozenset[str]:
        """Stems of the switches that are called by one word."""
        return frozenset(form.switch[0] for form in self.switches if len(form.switch) == 1)

    @cached_property
    def conditions(self) -> Mapping[tuple[str, ...], tuple[Form, str]]:
        """Pointer of an input -> the input that it presupposes, and its value: `required only if duration is repeating`."""
        by_name = {form.item.name: form for form in self.forms if len(form.item.pointer) == 1}
        found: dict[tuple[str, ...], tuple[Form, str]] = {}
        for form in self.forms:
            described = _ONLY_IF.search(form.item.description)
            other = by_name.get(described[1]) if described else None
            if described and other and described[2] in other.item.enum:
                found[form.item.pointer] = (other, described[2])
        return found

    @cached_property
    def counted(self) -> tuple[Form, ...]:
        """The inputs that may count by an ordinal: `season_number`."""
        return tuple(form for form in self.forms if counts_by_ordinal(form.item))

    @cached_property
    def limit(self) -> "Form | None":
        """The input that says how many items an answer holds, where it lists something."""
        if self.operation.kind not in LISTING_KINDS and (
            self.operation.mutating or self.operation.ends_with_parameter
        ):
            return None
        order = table("inputs")["limits"]
        limits = [form for form in self.forms if is_limit(form.item)]
        return min(limits, key=lambda form: _rank_of(form.item, order), default=None)

    @cached_property
    def enums(self) -> dict[tuple[str, ...], list[tuple[int, Member]]]:
        """Words of a member of an enum -> inputs that take it, and the member as it is sent."""
        found: defaultdict[tuple[str, ...], list[tuple[int, Member]]] = defaultdict(list)
        for at, form in enumerate(self.forms):
            for member in form.named_members:
                if member.stems:
                    found[member.stems].append((at, member.value))
        return dict(found)

    @cached_property
    def runs(self) -> tuple[tuple[int, ...], ...]:
        """Path parameters that stand side by side: `{owner}/{repo}`."""
        by_name = {form.item.name: at for at, form in enumerate(self.forms) if form.item.location == "path"}
        found: list[tuple[int, ...]] = []
        run: list[int] = []
        for segment in (*self.operation.segments, None):
            if segment is not None and segment.is_parameter and segment.text in by_name:
                run.append(by_name[segment.text])
                continue
            if len(run) > 1:
                found.append(tuple(run))
            run = []
        return tuple(found)

    @cached_property
    def by_pointer(self) -> dict[tuple[str, ...], int]:
        """Pointer of an input -> its place in `forms`."""
        return {form.item.pointer: at for at, form in enumerate(self.forms)}


def _rank_of(item: Input, order: Sequence[str]) -> int:
    name = "".join(words(item.name))
    return order.index(name) if name in order else len(order)


_SECRET_ENDS = ("token", "apikey", "secret", "authorization", "password", "accesskey", "authkey")
"""How names of headers end that hold a secret."""


def is_dated(item: Input) -> bool:
    """Whether an input takes a date, or a text that the document shows the form of one for: `in the form YYYY-MM-DDTHH:MM`."""
    if item.format in ("date", "date-time"):
        return True
    said = item.description
    shown = _DATE_FORM.search(said) is not None and "duration" not in said.lower()
    return item.type == "string" and not item.enum and (shown or _is_called_as_time(item))


def _is_called_as_time(item: Input) -> bool:
    """Whether its name says when something is, and nothing shows another form: `starts_at`, `dueDate`, `issuedOn`."""
    name = words(item.name)
    named = len(name) > 1 and (name[-1] in ("at", "date") or (name[-1] == "on" and name[-2].endswith("ed")))
    is_shown = item.format or item.examples or item.pattern or _HH_MM.search(item.description)
    return named and not (is_shown or _counts_from_epoch(item))


def _counts_from_epoch(item: Input) -> bool:
    return item.format == "unix-time" or _EPOCH.search(item.description) is not None


def is_credential(item: Input) -> bool:
    """Whether an input takes a secret of the caller's own, which no goal fills."""
    name = "".join(words(item.name))
    return (
        item.location in ("header", "cookie", "query", "body")
        and len(item.pointer) == 1
        and (
            name in table("inputs")["credentials"]
            or bool(_SECRET.match(item.description))
            # `X-Postmark-Server-Token`
            or (item.location == "header" and name.endswith(_SECRET_ENDS))
        )
    )


def is_switch(item: Input) -> bool:
    """Whether an input turns something on or off: a boolean, or a number that is 0 or 1."""
    return item.type == "boolean" or (item.type in ("integer", "number") and {*item.enum} == {0, 1})


def switch_words(name: str) -> tuple[str, ...]:
    """Stems of what a boolean switches on: (privat,) for `is_private`."""
    said = [word for word in words(name) if word not in _SWITCH_WORDS]
    return tuple(stem(word) for word in [one for one in said if one not in _SWITCHING] or said)


def counts_by_ordinal(item: Input) -> bool:
    """Whether an input may be given by an ordinal: `season_number`."""
    name = words(item.name)
    return item.type in ("integer", "number") and len(name) > 1 and name[-1] in _COUNTING_WORDS


def is_shaping(item: Input) -> bool:
    """Whether an input only orders, pages or shapes an answer."""
    if item.name.startswith(FILTERING):
        return False
    name = words(item.name)
    # `opt_fields` says which fields an answer has, as `fields` does.
    picks = item.location == "query" and item.is_list and name[-1:] == ("field",)
    return picks or "".join(name) in table("inputs")["shaping"]


def is_limit(item: Input) -> bool:
    """Whether an input says how many items an answer holds."""
    name = words(item.name)
    lists = table("inputs")["limits"]
    return (
        item.type in ("integer", "number", "string", "")
        and not item.enum
        and item.location in ("query", "body")
        and ("".join(name) in lists or (len(name) > 2 and "".join(name[-2:]) in lists))
    )


def says_cents(item: Input) -> bool:
    """Whether the description of an amount says that it counts the smallest unit of a currency."""
    return "integer" in (item.type, item.item_type) and bool(_CENTS.search(item.description))


def read_form(
    operation: Operation, *, is_context: Callable[[str], bool], in_cents: bool = False
) -> OperationForm:
    """The forms of an operation's inputs.

    Args:
        operation: With its inputs.
        is_context: Whether most calls of the server require an input of this name.
        in_cents: Whether an amount of another call of the server counts the smallest unit.
    """
    whole = parsed_schema(operation.tool.input_schema).get("x-body")
    return OperationForm(
        operation,
        tuple(
            replace(
                _form(operation, item, is_context=is_context, whole=whole),
                is_whole=item.pointer == (whole,),
                in_cents=in_cents or says_cents(item),
            )
            for item in operation.inputs
            if not is_credential(item)
        ),
    )


def _form(operation: Operation, item: Input, *, is_context: Callable[[str], bool], whole: str | None) -> Form:
    own = words(item.name)
    names = [word for word in own if word not in ID_WORDS and word not in _JOINTS]
    place = operation.place(item)
    glued = [found.groups() for word in own if (found := _GLUED.match(word))]
    if not names:
        # What a whole body is called says nothing of what is in it; of a list there are several.
        no_parents = (ITEM,) if ITEM in item.pointer else (whole,)
        parents = [part for part in item.pointer[:-1] if part not in no_parents]
        if item.location == "path":
            names = list(place.noun or operation.resource)
        elif parents:
            names = list(words(parents[-1]))
        elif ID_WORDS.issuperset(own) and not glued:
            # A `username` is of a user, whatever is made.
            names = list(operation.resource)
    elif item.location == "path" and place.noun and own == place.noun:
        names = list(own)
    elif (
        item.location == "path"
        and place.noun
        and place.adjacent
        and (own[-1] in ID_WORDS or _is_glued_id(own))
    ):
        # `/issues/{noteable_id}` is an issue, and `/brands/{pid}` a brand.
        names = [*place.noun, *names]
    context = item.required and len(item.pointer) == 1 and is_context(" ".join(words(item.name)))
    heads = stems(*names[-1:], *(noun for noun, kind in glued if kind in ("id", "key")))
    return Form(
        item,
        stems(*names, *(noun for noun, _ in glued)),
        stems(item.name),
        _described(item),
        context,
        heads=heads,
    )


def _is_glued_id(own: Sequence[str]) -> bool:
    """Whether a name is one word that ends as ids do: `triggerid`, `pid`."""
    return len(own) == 1 and own[0].endswith("id")


def _described(item: Input) -> frozenset[str]:
    start = item.description[:_DESCRIPTION_START]
    phrases: list[list[str]] = []
    of_this = _OF_THIS.search(start) if words(item.name)[-1:] in _NUMBERS else None
    if found := of_this or _OF_THE.search(start):
        # `Id of the channel or voice room` is of either.
        either = [part.split() for part in found[1].lower().split(" or ")]
        phrases = [list(takewhile(lambda word: word not in PHRASE_ENDS, part)) for part in either]
    if whole := _NOTHING_BUT_ID.fullmatch(item.description.strip()):
        return stems(whole[1].lower())
    its = stems(found[1].lower()) if (found := _ITS_ID.search(start)) and found[1].islower() else frozenset()
    return stems(*(phrase[-1] for phrase in phrases if phrase)) | its
