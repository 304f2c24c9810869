"""The words that Track B's synthetic tools are made of.

Two registers that share as few words as can be: what an interface manual would say (`technical`, `mechanism`) and
what a user says (`aliases`, `purpose`, `says`, `hint`). Catalogue texts are made of the first, queries of the second;
only the plain noun and the plain verb stand in both.
"""

from dataclasses import dataclass

GENERATE = "generate"


@dataclass(frozen=True, slots=True)
class Noun:
    """Something to work on."""

    plain: str
    technical: str
    aliases: tuple[str, ...]
    purpose: str
    """What is better when it is done; names neither noun nor alias."""


@dataclass(frozen=True, slots=True)
class Verb:
    """Something to do."""

    plain: str
    technical: str
    says: tuple[str, ...]
    """As users say it; `{}` is the thing."""
    hint: str
    """That it is to be done, without the thing."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A category of tools."""

    id: str
    name: str
    mechanism: str
    pools: tuple[str, str]
    verbs: tuple[str, ...]
    nouns: tuple[Noun, ...]


VERBS = {
    plain.strip(): Verb(
        plain.strip(), technical.strip(), tuple(map(str.strip, says.split(";"))), hint.strip()
    )
    for plain, technical, says, hint in (
        line.split("|")
        for line in """
add | instantiation of | put in {}; drop {} in; bring in {} | something ought to be put in place
adjust | parametric modification of | tweak {}; tune {}; make {} a bit different | what is there needs a tweak
remove | excision of | get rid of {}; take {} away; throw {} out | something has to go
align | positional registration of | line {} up; straighten {}; put {} straight | things stand crooked
duplicate | replication of | copy {}; make a second one of {}; clone {} | we want the same once more
convert | re-encoding of | turn {} into another kind; switch {} over | it comes in the wrong kind
inspect | diagnostic evaluation of | look {} over; find faults in {}; check {} | I am not sure that all is well
schedule | deferred activation of | set a time for {}; plan {} ahead | it should happen later on
combine | aggregation of | join {} up; bring {} together; merge {} | there are several and I want a single one
preview | non-persistent rendering of | let me see {}; show me {}; have a look at {} | I would rather see it first
generate | procedural synthesis of | come up with {}; dream up {}; let the machine make {} | surprise me with something ready
""".strip().splitlines()
    )
}


def _nouns(text: str) -> tuple[Noun, ...]:
    found = []
    for line in text.strip().splitlines():
        plain, technical, aliases, purpose = map(str.strip, line.split("|"))
        found.append(Noun(plain, technical, tuple(map(str.strip, aliases.split(";"))), purpose))
    return tuple(found)


DOMAINS = (
    Domain(
        "typography",
        "Typography",
        "glyph runs of the active story",
        ("text", "colour"),
        ("add", "adjust", "align", "convert", GENERATE),
        _nouns(
            """
headline | primary display-size character run | big line on top; title words; attention grabber | people see at once what this is about
footnote | subordinate annotation block anchored to a reference mark | small print below; side remark at the end | readers can look up where a claim comes from
drop cap | oversized initial glyph spanning several baselines | giant first letter; fancy opening letter | a chapter begins with some ceremony
caption | descriptive character run bound to a figure frame | words under a picture; photo description | nobody wonders what an image shows
bullet list | sequence of itemised paragraphs with leading markers | points one below another; dotted rundown | the main arguments can be skimmed
pull quote | excerpted passage set apart from the body column | highlighted saying; standout sentence | a strong statement sticks in memory
ligature | composite glyph substituting adjacent characters | joined letters; letters grown together | words look well set
font pairing | association of two complementary typeface families | matching lettering; two scripts that go together | everything written looks all of a piece
"""
        ),
    ),
    Domain(
        "page_layout",
        "Page layout",
        "spread geometry of the open document",
        ("layout", "geometry"),
        ("add", "align", "duplicate", "combine", GENERATE),
        _nouns(
            """
column grid | modular vertical subdivision of the live area | side-by-side strips; lanes for text | everything sits in tidy order
margin | peripheral clear zone around the live area | empty border; white edge; breathing room outside | a sheet does not look crammed
master page | inheritable base spread with recurring items | pattern for every sheet; common backdrop | all sheets share one look
page number | automatic folio marker | running count in the corner; sheet counter | readers find their place again
sidebar | auxiliary region adjoining the body frame | box at the edge; strip with extras | background facts stay next to the story
table of contents | hierarchical index of headings with targets | overview at the start; chapter directory | readers jump straight to a chapter
image frame | rectangular container with fitting rules | picture holder; photo box | pictures sit where they belong
section break | structural delimiter between flow regions | cut between parts; start of a new part | different topics do not run together
"""
        ),
    ),
    Domain(
        "video_editing",
        "Video editing",
        "segments of the media timeline",
        ("timing", "file"),
        ("adjust", "combine", "preview", "convert", GENERATE),
        _nouns(
            """
clip | bounded interval of captured frames | bit of footage; short recording; film snippet | only the good moments are left
transition | interpolated passage between adjacent intervals | change between scenes; smooth change-over | scenes do not jump
subtitle track | time-coded dialogue transcription stream | spoken words in writing; words at the bottom of the screen | viewers without sound can follow
voiceover | narrative audio lane | talking over pictures; narrator | a story is told while pictures run
green screen | chroma-keyed matte extraction | fake backdrop; swapped surroundings | presenters appear to stand elsewhere
slow motion | temporal resampling below nominal rate | stretched time; action at a crawl | a quick move can be studied
intro sequence | opening composite of title elements | first seconds of the show; starter | viewers know at once whose show this is
colour grade | tonal mapping applied across an interval | film mood; warm or cold look | shots from different days match
"""
        ),
    ),
    Domain(
        "audio_mixing",
        "Audio mixing",
        "insert slots of the signal chain",
        ("timing", "layout"),
        ("add", "adjust", "remove", "preview", GENERATE),
        _nouns(
            """
equaliser | frequency-selective gain stage | bass and treble knobs; tone balance | voices stop sounding dull
reverb | simulated reflection tail | echo of a big room; cathedral sound | it seems recorded in a hall
compressor | dynamic-range reduction stage | loudness tamer; evening out of peaks | whispers and shouts are equally easy to hear
noise gate | threshold-controlled attenuation stage | hiss blocker; hush between words | hum vanishes when nobody speaks
fade out | monotone terminal gain envelope | soft ending; quiet end of a song | a song does not stop abruptly
backing track | accompaniment stem | music behind the singer; band without vocals | a singer can practise alone
stereo panner | lateral amplitude distribution control | left and right placement; sound position | instruments seem spread across a stage
loop | cyclically repeated sample region | endless repeat; riff that goes round | a groove goes on by itself
"""
        ),
    ),
    Domain(
        "maps",
        "Maps",
        "features of the geospatial canvas",
        ("geometry", "data"),
        ("add", "remove", "inspect", "preview", GENERATE),
        _nouns(
            """
route | ordered traversal across a network of edges | way to go; directions | drivers arrive without detours
marker | georeferenced point symbol | pin; dot on the spot; flag for a place | guests find the door
heat map | density surface derived from point observations | hot spots; places of most activity | crowded areas stand out
contour line | isoline of equal elevation | height curves; hill outlines | hikers know how steep it gets
geofence | virtual perimeter with crossing events | invisible fence; zone alarm | somebody is told when a van leaves town
legend | key associating symbols with classes | explanation of signs; meaning of the dots | strangers understand the drawing
scale bar | graduated distance reference | ruler in the corner; length of an inch | distances can be judged by eye
tile layer | pyramid of pre-rendered raster squares | street picture below; background chart | streets appear under our own points
"""
        ),
    ),
    Domain(
        "forms",
        "Forms",
        "controls of the submission schema",
        ("text", "data"),
        ("add", "remove", "duplicate", "inspect", GENERATE),
        _nouns(
            """
text field | single-line character entry control | box to write in; blank to fill | visitors leave their name
checkbox | binary state entry control | tick box; yes-or-no square | people agree to the terms
dropdown | collapsed single-choice entry control | pick list; fold-out choice | a country is chosen quickly
date picker | calendar-bound entry control | little calendar; way to choose a day | bookings get a proper day
file upload | binary attachment entry control | place to send papers; attach-a-document button | applicants hand in their papers
captcha | automated-agent discrimination challenge | robot test; human puzzle | machines stay out
signature pad | vector stroke capture surface | sign-here area; scribble with a finger | a contract is valid at once
progress bar | completion state indicator | how-far-am-I strip; count of steps done | nobody gives up halfway
"""
        ),
    ),
    Domain(
        "presentations",
        "Presentations",
        "units of the session document",
        ("layout", "timing"),
        ("add", "schedule", "duplicate", "preview", GENERATE),
        _nouns(
            """
slide | discrete full-screen content unit | sheet of the talk; screen of the deck | each thought gets its own picture
speaker notes | presenter-visible annotation stream | cheat sheet; words to say aloud | a nervous lecturer never gets stuck
agenda | ordered session outline unit | plan of the talk; order of the day | an audience knows what to expect
timer | countdown synchronised to the session | talk clock; minutes left | a speech ends in time
laser pointer | transient position indicator overlay | red dot; glowing spot | listeners look at the right thing
poll | live response aggregation unit | show of hands; question to the room; quick vote | a crowd has its say
handout | reduced printable session digest | paper for listeners; leaflet to take home | people still know it a week later
screen recording | captured session stream | film of the talk; replay | absent colleagues watch afterwards
"""
        ),
    ),
    Domain(
        "mail_campaigns",
        "Mail campaigns",
        "jobs of the dispatch pipeline",
        ("audience", "text"),
        ("schedule", "inspect", "adjust", "duplicate", GENERATE),
        _nouns(
            """
newsletter | periodic bulk message document | monthly letter; news to subscribers | customers hear what is new
subject line | header summary string | first words in the inbox; mail title | more people open it
mailing list | addressable recipient set | crowd of addresses; circle of readers | the right people are reached
unsubscribe link | consent revocation endpoint | way out; no-more-mail button | those who are annoyed leave in peace
split test | randomised variant assignment | two versions against each other; contest of wordings | we learn what sells
autoresponder | event-driven reply sequence | reply while I am away; instant answer | nobody waits for a first word
spam score | deliverability heuristic metric | junk danger; chance of the bin | letters do not land in the trash
open rate | engagement ratio of rendered messages | readers in percent; number of people who look inside | we know if anybody reads it
"""
        ),
    ),
    Domain(
        "asset_library",
        "Asset library",
        "records of the repository index",
        ("file", "audience"),
        ("remove", "combine", "convert", "inspect", GENERATE),
        _nouns(
            """
folder | hierarchical container node | drawer; place to keep things | belongings stay together
keyword | descriptive index term | search word; topic sticker | things turn up again when looked for
thumbnail | reduced raster surrogate | little picture; mini view | one knows what is inside without opening it
version | immutable revision record | earlier state; state of last week | mistakes can be undone
licence | usage entitlement record | permission to use; rights paper | no lawyer writes to us
collection | curated association of records | picked set; favourites in one spot | a campaign has its stuff in a single spot
share link | capability-bearing access locator | address to send around; open door for others | partners help themselves
watermark | embedded ownership overlay | logo across a picture; stamp against theft | nobody steals our shots
"""
        ),
    ),
    Domain(
        "print_production",
        "Print production",
        "objects of the press-ready output",
        ("file", "colour"),
        ("adjust", "inspect", "align", "preview", GENERATE),
        _nouns(
            """
crop mark | trim boundary indicator | cutting corner; line for the scissors | the guillotine hits the right spot
bleed | ink extension beyond the trim boundary | colour past the edge; extra rim | no white slivers remain
colour profile | device characterisation table | look of the inks; printer's colour recipe | shades look as on screen
fold line | crease location indicator | bending line; kink in a leaflet | a flyer closes neatly
paper stock | substrate specification record | thick or thin sheets; kind of card | it feels good in the hand
imposition | multi-page arrangement on a press sheet | booklet order; many pages on a big sheet | pages come out in sequence
proof | pre-press verification output | trial print; sample before the run | errors surface before money is spent
spot varnish | localised coating separation | shiny patch; gloss on the logo | a cover catches the light
"""
        ),
    ),
)
