"""The words of the set of 5,000 financial tools: companies, tools, questions, queries.

Questions are what a publisher would add to a tool's document; queries are what users ask. No query is a question,
and they share few words besides the company.
"""

from dataclasses import dataclass

STEMS = tuple(
    """Abern Alcor Altona Ambero Andover Ansel Arcton Arden Ashby Astora Avelin Banbridge Barlow Baxter Beacon
    Belmar Benning Berwick Birchal Bolton Brandis Brevin Bristow Calder Camden Carrow Castel Cedar Chalmer Clarion
    Colden Corvin Cranford Crestal Dalton Danbury Delmar Denholm Dorval Drayton Dunmore Eastlake Edgar Elbridge
    Eldon Ellery Elstow Emberly Fairfax Falcon Farrow Fenwick Fielding Forrest Foxley Galena Garner Gideon Glenmore
    Granby Halden Hanover Harlan Hartwell Haven Hawley Helix Holden Hollis Hudson Ingram Irvine Jarrow Jasper
    Kelvin Kendal Kingsley Kirkby Lambert Landis Langley Larkin Lawton Lennox Linden Lorne Lowell Madison Malden
    Marlow Marston Mercer Merrit Milford Monroe Morven Nelson Newton Norland Norwood Oakley Orford Orion Oswald
    Parkton Pelham Penrose Pinehurst Preston Quincy Radnor Ramsey Redwood Ripley Rowan Rutland Salem Selby Sheldon
    Stanton Sutton Tilden Trenton Upton Vernon Walden""".split()
)[:125]
"""Invented or common names of places and families, of no company in particular."""
TRADES = {
    "Airlines": "Air",
    "Foods": "Food",
    "Energy": "Power",
    "Bancorp": "Bank",
    "Systems": "Tech",
    "Health": "Care",
    "Motors": "Auto",
    "Stores": "Shops",
}
"""Trade -> its short form."""


@dataclass(frozen=True, slots=True)
class FinanceTool:
    """One of the five tools of a company; `{c}` is the company."""

    key: str
    name: str
    """`{c}` is the company as an identifier."""
    description: str
    properties: dict[str, dict[str, object]]
    required: tuple[str, ...]
    questions: tuple[str, ...]
    """Ten; of publishers."""
    queries: tuple[str, ...]
    """Of users."""


TOOLS = (
    FinanceTool(
        "price",
        "get_{c}_current_stock_price",
        "Returns the newest trading price of one share of {c}, or -1 when there is none.",
        {},
        (),
        (
            "latest quote for {c}",
            "at what price did {c} last trade",
            "{c} share price right now",
            "tell me what a {c} share costs today",
            "market price, {c}",
            "how is {c} priced at the moment",
            "where does {c} stand on the exchange",
            "get me the newest {c} quote",
            "{c} stock: value at this minute",
            "is {c} above or below yesterday, and at what price",
        ),
        (
            "How much is one {c} stock worth?",
            "What would I pay for {c} if I bought in this instant?",
            "Give me the going rate of {c} on Wall Street.",
            "I own a few pieces of {c}; what would they fetch?",
        ),
    ),
    FinanceTool(
        "history",
        "get_{c}_stock_price_history",
        "Returns the closing prices of {c} over the past year by day, week or month; the last 10 values.",
        {"timeline": {"type": "string", "enum": ["d", "w", "m"], "description": "d day, w week, m month"}},
        ("timeline",),
        (
            "closing prices of {c}, day by day",
            "{c} week over week, last ten closes",
            "monthly closes for {c} since a year ago",
            "how did {c} develop this year",
            "plot data: {c} daily closes",
            "past performance of {c} shares",
            "{c} price series by month",
            "the last ten weekly values of {c}",
            "recent trend of {c} stock",
            "what did {c} close at on each of the last days",
        ),
        (
            "Has {c} gone up or down over the months?",
            "I want a chart of how {c} moved lately.",
            "Show me the ups and downs of {c} stock each week.",
            "What were the final quotations of {c} on recent evenings?",
        ),
    ),
    FinanceTool(
        "targets",
        "get_{c}_analyst_price_targets",
        "Returns one of the analysts' price forecasts for {c}: current, low, high, mean or median.",
        {
            "target_type": {
                "type": "string",
                "enum": ["current", "low", "high", "mean", "median"],
                "description": "which of the forecasts",
            }
        },
        ("target_type",),
        (
            "where do analysts see {c}",
            "average price target, {c}",
            "most optimistic forecast for {c}",
            "lowest target that anyone set for {c}",
            "median expectation for {c} shares",
            "current consensus target of {c}",
            "what upside do analysts give {c}",
            "forecast range for {c}",
            "which price do experts predict for {c}",
            "{c}: high target",
        ),
        (
            "What do the banks' researchers think {c} will reach?",
            "How high could {c} climb according to Wall Street opinions?",
            "What is the gloomiest outlook on {c} stock?",
            "Do professionals believe that {c} will rise, and how far?",
        ),
    ),
    FinanceTool(
        "revenue",
        "get_{c}_revenue",
        "Returns the total revenue of {c} in a year, or in all years on record.",
        {"year": {"type": "integer", "description": "left out: all years"}},
        (),
        (
            "sales of {c} in 2023",
            "how much did {c} turn over in 2021",
            "top line of {c}, all years",
            "{c} annual revenue figures",
            "turnover history of {c}",
            "what did {c} earn in sales last fiscal year",
            "yearly sales, {c}",
            "{c} revenue for 2020",
            "how big is {c} by revenue",
            "total revenue reported by {c}",
        ),
        (
            "How much money came in at {c} during 2022?",
            "What did customers pay {c} altogether in 2024?",
            "Has the business volume of {c} grown since 2019?",
            "Takings of {c} before any costs, please.",
        ),
    ),
    FinanceTool(
        "income",
        "get_{c}_net_income",
        "Returns the net income of {c} in a year, or in all years on record.",
        {"year": {"type": "integer", "description": "left out: all years"}},
        (),
        (
            "profit of {c} in 2022",
            "bottom line of {c}, all years",
            "how much did {c} keep after costs in 2021",
            "{c} annual profit figures",
            "earnings history of {c}",
            "was {c} profitable last year",
            "net result of {c}",
            "yearly profit, {c}",
            "{c} net income for 2020",
            "what profit did {c} report",
        ),
        (
            "What was left over at {c} once everything was paid in 2023?",
            "Did {c} make a loss in 2024?",
            "How much money does {c} really make?",
            "Is {c} in the black, and by how many dollars?",
        ),
    ),
)
BY_KEY = {tool.key: tool for tool in TOOLS}


@dataclass(frozen=True, slots=True)
class QueryShape:
    """A query for several tools; `{cs}` is the list of companies."""

    companies: tuple[int, ...]
    """How many; one of these."""
    tools: tuple[str, ...]
    """Keys; the gold is each of them for each company."""
    text: str


SHAPES = (
    QueryShape((1,), ("history",), "Compare how {cs} traded from week to week with how it traded from month to month."),
    QueryShape((1,), ("revenue", "income"), "For {cs}, set takings and gain of 2023 against those of 2024."),
    QueryShape((4,), ("history", "targets"), "Last week's trading of {cs}, and what Wall Street expects of each."),
    QueryShape((3,), ("price", "history", "targets"), "Which of {cs} is the best buy, seen from today's worth, the weeks behind and the outlook?"),
    QueryShape((2, 3), ("income", "revenue"), "Work out the net margin of 2024 for {cs}."),
    QueryShape((5,), ("revenue",), "Who took in most in 2024: {cs}?"),
    QueryShape((15,), ("revenue",), "Rank by takings of 2024: {cs}."),
    QueryShape((2,), ("price",), "Which is dearer at this instant, {cs}?"),
    QueryShape((2,), ("targets",), "Whose outlook is brighter, that of {cs}?"),
    QueryShape((2,), ("income",), "Who made more money in 2023, {cs}?"),
    QueryShape((3,), ("history",), "Draw how {cs} moved over the months into a single chart."),
    QueryShape((3,), ("price",), "I hold {cs}; what are they worth?"),
    QueryShape((1,), ("price", "history", "targets", "revenue", "income"), "Everything there is on {cs} for my file: worth, moves, outlook, takings and gain."),
    QueryShape((4,), ("price", "targets", "income"), "Is {cs} overvalued? Weigh worth, outlook and gain of each."),
)  # fmt: skip
HEADLINE = {1: 320, 2: 300, 3: 180, 4: 100, 5: 40, 8: 30, 12: 30}
"""Gold tools -> queries of the stratum."""
LONG = {5: 60, 6: 60, 8: 60, 9: 60, 12: 30, 15: 30}
