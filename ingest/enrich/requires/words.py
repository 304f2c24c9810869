"""Words of names that say whether a value comes from another call."""

from app.domain.language.operation_words import OperationKind

FIELD_FAMILIES = {
    "id": 1.0,
    "arn": 0.8,
    "key": 0.75,
    "slug": 0.75,
    "code": 0.75,
    "sha": 0.75,
    "login": 0.75,
    "name": 0.72,
    "number": 0.7,
    "symbol": 0.7,
    "serial": 0.7,
    "isbn": 0.7,
    "uid": 0.65,
    "uri": 0.6,
    "hash": 0.6,
    "token": 0.5,
    "email": 0.5,
    "index": 0.4,
    "version": 0.4,
}
"""Fields that may identify a thing when a name does not say which, and how much each is believed."""

WRAPPERS = frozenset(
    """response dto list model schema object resource information detail summary result collection wrapper page paginated
    paged full simple base basic output out get create update view vm read nested minimal item v json ld jsonld hal
    representation entity type data in inline serializer definition payload body request array partial
    api""".split()
)
"""Words in names of schemas that say nothing about the thing."""

GENERIC_NAMES = frozenset(
    " ".join(name.split())
    for name in """zip code | zipcode | postal code | postcode | phone number | mobile number | country code
    | currency code | language code | area code | state code | dial code | tax number | vat number | api version
    | x api key | subscription key | client secret | after | before | since | until | image url | display name
    | callback url | redirect uri | return url | name | type | status | date | limit | page | offset | count | size
    | format | description | title | text | message | value | key | label | sort | order | filter | query | q
    | search | start | end | from | to | time | timestamp | created | updated | state | lang | language | locale
    | mode | version | url | email | password | comment | note | reason | content | body | data | file | field
    | include | expand | fields | cursor | page size | per page | start date | end date | created at | updated at
    | quantity | amount | active | enabled | total | id | code | number | first | last | latitude | longitude | lat
    | lon | lng | api key | apikey | access token | token | authorization | content type | accept | callback
    | pretty | sort by | order by | direction | color | width | height | phone | address | city | country | currency
    | price | first name | last name | street | zip | subject | user agent | x request id | request id | self | href
    | link | method | length | position | level | score | hash | public | private | tag | group | category | result
    | error | success | default | required | index | rank | year | month | day | hour | week | period | duration
    | interval | timezone | source | target | path | host | port | ip | metadata | meta | attribute | option
    | setting | config | configuration | kind | etag | if match""".split("|")
)
"""Names, as singular words, of values that callers set themselves."""

SOFT_ENDINGS = frozenset(
    """name url email type date time title description status version index image text message label reason note
    comment format mode at password count size limit amount price before after since until language locale country
    currency timezone phone address color username enabled body content""".split()
)
"""Last words of body and query inputs that callers set themselves."""

FOREIGN_HEADERS = frozenset(
    (
        "customer id",
        "client id",
        "request id",
        "tenant id",
        "correlation id",
        "trace id",
        "x request id",
        "session id",
    )
)
"""Headers whose value comes from the caller's own set-up."""

SET_FORMATS = frozenset(("date", "date-time", "password", "binary", "byte"))
"""Formats of values that callers set themselves."""

BARE_ID_NAMES = frozenset(("id", "uuid", "sid", "guid", "ids", "uri", "uris"))
"""Names that identify something without saying what."""

OPTIONAL_FIELDS = frozenset(("id", "key", "slug"))
"""Fields for which an optional input is worth a producer."""

TRAILING_WORDS = frozenset("in eq list value parameter".split())
"""Last words of longer input names that say how the value is passed, not what it is."""

KIND_PRIOR = {
    OperationKind.SEARCH: 0.20,
    OperationKind.LIST: 0.18,
    OperationKind.CREATE: 0.10,
    OperationKind.GET: 0.02,
    OperationKind.ACTION: -0.06,
    OperationKind.AUTH: -0.15,
    OperationKind.UPDATE: -0.25,
    OperationKind.DELETE: -0.80,
}
"""How likely a call of a kind is the one that a value is taken from."""
