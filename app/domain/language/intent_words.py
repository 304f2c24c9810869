"""Which words stand for which kind of action, and how well actions go together. Tables only.

Found by ablation on public sets of tools and queries; the compatibilities are judgements, rounded.
"""

ACTION_WORDS: dict[str, str] = {
    "list": "list lists enumerate browse index all",
    "get": "get gets read show shows view display see fetch retrieve retrieves returns describe inspect detail"
    " details info information tell obtain load what whats who when",
    "search": "search searches find finds query lookup discover explore locate seek look which where recommend"
    " suggest",
    "create": "create creates add adds new insert post register generate build compose make provision draw"
    " schedule book put write append setup establish init initialize launch submit place assign comment",
    "update": "update updates edit modify change set patch rename replace adjust configure alter revise"
    " customize amend assign resize reschedule manage",
    "delete": "delete deletes remove removes erase destroy drop purge clear clean uninstall trash discard"
    " unassign detach rid empty",
    "close": "close closes finish resolve end complete archive",
    "open": "open reopen navigate visit go launch browse",
    "start": "start run execute trigger begin launch invoke dispatch perform play rerun resume boot connect",
    "stop": "stop cancel abort halt terminate kill pause revoke withdraw undo reset rollback revert",
    "restart": "restart reboot redeploy rerun reload",
    "enable": "enable activate unlock allow turn on grant permit",
    "disable": "disable deactivate lock block turn off suspend ban mute",
    "upload": "upload import attach ingest push save store",
    "download": "download export pull save extract backup",
    "send": "send email notify message share forward publish post reply tweet broadcast deliver invite",
    "move": "move transfer migrate relocate",
    "copy": "copy duplicate clone fork replicate",
    "merge": "merge combine join concatenate",
    "approve": "approve accept confirm authorize",
    "reject": "reject decline deny dismiss refuse",
    "login": "login signin authenticate logon",
    "logout": "logout signout logoff",
    "check": "check verify validate test monitor examine diagnose audit review ensure inspect is are does has"
    " exists",
    "convert": "convert translate transform format encode decode parse render",
    "calc": "calculate compute count estimate measure evaluate sum analyze analyse compare summarize predict"
    " forecast",
    "watch": "watch subscribe follow track listen star",
    "unwatch": "unwatch unsubscribe unfollow unstar",
    "buy": "buy purchase order pay checkout reserve book rent",
    "stage": "stage commit add",
}
"""Action class -> the words that say it; a word may say several."""

READING_ACTIONS = frozenset({"list", "get", "search", "check", "calc", "watch", "download"})
"""Actions that change nothing; all others write."""

RELATED_ACTIONS: dict[str, str] = {
    "list": "get .4, search .5",
    "get": "list .5, search .5, check .4, download .4",
    "search": "list .6, get .5",
    "check": "get .7, list .6, search .4",
    "calc": "get .4, list .3, check .3",
    "close": "update .6, delete .2",
    "open": "create .5, get .4, update .2",
    "enable": "update .5",
    "disable": "update .5",
    "create": "send .3, upload .3, update .2, buy .2",
    "update": "create .2, move .2",
    "upload": "create .6",
    "send": "create .6",
    "buy": "create .7",
    "stop": "delete .5, update .4",
    "start": "create .4",
    "delete": "stop .3, disable .2",
    "move": "update .4",
    "copy": "create .4",
    "approve": "update .4, create .3",
    "reject": "update .4, delete .3",
    "download": "get .5",
    "watch": "get .3, list .3, create .3",
    "unwatch": "delete .5",
    "login": "get .2",
    "merge": "update .3",
    "stage": "create .5",
    "restart": "start .6, update .3",
    "convert": "create .2",
}
"""Asked action -> actions of tools that serve it too, and how well, where 1 is the action itself."""

NOUNS_FIRST = frozenset(
    """all new post on off is are what who when does has put end go order info information details detail
    message email format index test review star track watch listen book reserve share lock block sum count
    measure store push pull complete comment""".split()
)
"""Words that say an action at the start of a tool's name, but are nouns anywhere else in it."""

NAME_PREFIXES = frozenset({"api", "v", "mcp", "browser", "rest"})
"""Words before the verb of a tool's name."""

SHOWING_WORDS = frozenset(
    "show get display view see give tell what whats which fetch retrieve check read".split()
)
"""Words that ask for one thing or, before a plural, for many."""

DETERMINERS = frozenset("me us my the all our are is a i have do".split())
PREPOSITIONS = frozenset(
    """in of for with from on at by to within under into as that which who whose between about using""".split()
)
PLURAL_IN_FORM = frozenset(
    """details status settings contents news credentials logs metrics stats statistics information""".split()
)
"""Words that end in s and are one thing."""

ARTICLES = frozenset(
    """a an the your all any some every each this that these those its their his her new latest recent current
    specific particular it them please of""".split()
)
"""Words that stand before a noun phrase and are not part of it."""

PHRASE_ENDS = frozenset(
    """in of for with from on at by to within under into as that which who whose between about using and or via
    per across without named called where when during before after including against is are has have be was were
    so but if than through over since until like not""".split()
)
"""Words that end a noun phrase."""

PARTS_OF_THINGS = frozenset(
    """lists list details detail information info status number count set collection names name copy content
    contents summary version""".split()
)
"""Nouns that before `of` say what of a thing is asked for, not of which thing."""

NAME_PREPOSITIONS = frozenset("for by in with of from to at on using into via as and or if can be".split())
"""Words that end the noun of a tool's name."""
