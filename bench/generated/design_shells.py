"""The deliverables of Track B's shells: what a user calls them and gets, and the nouns that they are made of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deliverable:
    """A shell before its tools are drawn."""

    domain: str
    name: str
    surface: str
    nouns: tuple[str, ...]


DELIVERABLES = tuple(
    Deliverable(domain.strip(), name.strip(), surface.strip(), tuple(map(str.strip, nouns.split(";"))))
    for domain, name, surface, nouns in (
        line.split("|")
        for line in """
typography | Magazine opening | The first page of a story that makes people stop and read, with title words, a giant first letter and a saying in between. | headline; drop cap; pull quote
typography | University paper | Looks scholarly: side remarks at the end of the sheet, words under every picture, the points one below another. | footnote; caption; bullet list
typography | House lettering | Our own way of writing on everything we send out, with letters that belong together. | ligature; font pairing; headline
page_layout | Annual report | A thick bound account of the year in which people find things and every sheet looks alike. | master page; page number; table of contents
page_layout | Photo brochure | A glossy booklet of pictures with lots of white around them. | image frame; margin; column grid
page_layout | Club magazine | A small paper for members, its stories in strips, extras in a box and parts kept apart. | sidebar; section break; column grid
video_editing | Holiday film | The best bits of our trip one after another, with smooth changes and a warm look. | clip; transition; colour grade
video_editing | Tutorial video | Somebody explains while it is shown, and the words can be read along. | voiceover; subtitle track; intro sequence
video_editing | Sports highlight | The goal again at a crawl, and a presenter who seems to stand in the stadium. | slow motion; green screen; clip
audio_mixing | Podcast episode | Two people talking, easy to hear, without hiss and without shouting. | compressor; noise gate; equaliser
audio_mixing | Karaoke song | Music behind the singer, in a big room, ending softly. | backing track; reverb; fade out
audio_mixing | Dance groove | A riff that goes round and round from the left to the right. | loop; stereo panner; equaliser
maps | How to find us | Guests get there: the way, a pin on the house and streets to recognise. | route; marker; tile layer
maps | Hiking chart | Hills and how steep they are, how far it is, and what the signs mean. | contour line; scale bar; legend
maps | Delivery control | Where our vans mostly are, and an alarm when they leave the zone. | heat map; geofence; marker
forms | Job application | People write who they are and send their papers, and they see how far they have come. | text field; file upload; progress bar
forms | Booking request | Guests choose a day and a kind of room from a list. | date picker; dropdown; text field
forms | Online contract | Tick that you agree, sign with a finger, prove that you are no robot. | checkbox; signature pad; captcha
presentations | Lecture | An hour in front of students with a plan, a cheat sheet and a clock. | slide; agenda; speaker notes; timer
presentations | Town meeting | The room votes, everybody gets a leaflet, a glowing spot shows what is meant. | poll; handout; laser pointer
presentations | Remote training | A deck that absent people can watch as a film afterwards. | screen recording; slide; speaker notes
mail_campaigns | Product launch letter | News that lands in the inbox with a title that people want to open. | newsletter; subject line; split test
mail_campaigns | Welcome series | New people get an instant answer, and a way out if they do not like it. | autoresponder; mailing list; unsubscribe link
mail_campaigns | Campaign check-up | Do they look inside, or does it end up as junk? | open rate; spam score; split test
asset_library | Press kit | A picked set of shots with mini views that reporters may take from an address. | collection; thumbnail; share link
asset_library | Tidy archive | Drawers and search words, and how each thing was earlier. | folder; keyword; version
asset_library | Photo shop | Shots for sale with a logo across them and a permission for buyers. | watermark; licence; thumbnail
print_production | Business cards | Thick little cards with a shiny patch, cut in the right spot. | paper stock; spot varnish; crop mark
print_production | Folded flyer | A leaflet that bends where it should, with colour up to the rim. | fold line; bleed; proof
print_production | Booklet run | Many pages on a big sheet in the right order, in the colours of the screen. | imposition; colour profile; proof
""".strip().splitlines()
    )
)
