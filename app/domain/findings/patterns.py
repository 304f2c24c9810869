"""The patterns: what each looks for, and how much it says. All run in RE2, in linear time, over NFKC text.

Chosen on the first seeded half of MCP-SafetyBench's descriptions and on mcpproxy's corpora (`bench findings`); the
other half was only measured.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

import re2

_WORDS: Final = r"(?:\W+\w+){0,5}?\W+"
"""At most five words in between."""
_SECRETS: Final = (
    r"(?:~/\.\w+|\.ssh\b|id_rsa|\.aws\b|\.env\b|/etc/passwd|\.bashrc\b|mcp\.json|private keys?\b|ssh keys?\b|api keys?\b"
    r"|credentials?\b|environment variables?\b|conversation history\b|system (?:prompt|instructions)\b|clipboard\b"
    r"|every message\b)"
)
_SENDING: Final = r"(?:exfiltrat\w+|send\w*|posts?\b|upload\w*|forward\w*|append\w*|embed\w*|pass\w*|reveal\w*|output\b|include\b|leak\w*)"


class Tier(StrEnum):
    """How much a finding says."""

    HARD = "hard"
    """One is enough to hold a tool that nobody has looked at."""
    SOFT = "soft"
    """Two kinds of them are."""
    NOTE = "note"
    """It is only shown."""


@dataclass(frozen=True, slots=True)
class TextPattern:
    """What is looked for in a text."""

    code: str
    tier: Tier
    meaning: str
    expression: str
    """RE2, without regard to case."""


PATTERNS: Final = (
    TextPattern(
        "sets_aside_instructions",
        Tier.HARD,
        "an order to set aside instructions",
        rf"\b(?:ignore|disregard|forget|override|bypass){_WORDS}(?:instructions?|directions?|prompts?|rules?|guidelines?"
        r"|constraints?|polic(?:y|ies)|above|previous)\b|\bignore the user'?s\b|\bwithout applying safety\b"
        r"|\bdeveloper mode\b",
    ),
    TextPattern(
        "keeps_from_user",
        Tier.HARD,
        "an order not to tell the user",
        r"\b(?:do not|don't|never|must not|not to|without)(?:\W+\w+){0,3}?\W+(?:mention\w*|inform\w*|tell\w*|reveal\w*|notif\w+"
        r"|disclos\w+)\W+(?:\w+\W+){0,3}?(?:user|users|them|this|these|change|step)\b",
    ),
    TextPattern(
        "sends_secrets",
        Tier.HARD,
        "a secret or a credential file that is to be read and sent on",
        rf"\b{_SENDING}(?:\W+\w+){{0,8}}?\W+{_SECRETS}"
        rf"|\b(?:read|reads|cat|return|open)(?:\W+\w+){{0,4}}?\W*(?:~/\.|/etc/passwd|id_rsa)|\bexfiltrat\w+",
    ),
    TextPattern(
        "pseudo_tag",
        Tier.HARD,
        "a tag that pretends to be the system's",
        r"</?\s*(?:important|system|secret|instructions?|admin|hidden|assistant)\b[^<>]{0,40}>|\[\s*(?:system|assistant|admin)\b"
        r"[^\[\]]{0,40}(?:instruction|message|prompt)|\{\{\s*system\b|#{2,}\s*new system",
    ),
    TextPattern(
        "shell",
        Tier.HARD,
        "a command for a shell",
        r"\b(?:curl|wget)\b[^|\n]{1,200}\|\s*(?:ba|z|da)?sh\b|\brm\s+-[rf]{1,2}\s+\S|\bsudo\s+(?:-\w|\w+)|\bchmod\s+\+x"
        r"|/dev/tcp/|\bcat\s+~/|\b(?:curl|wget)\s+-\w+|\becho\s+\S[^\n]{0,100}(?:>>|&&)|&&\s*echo\b",
    ),
    TextPattern(
        "orders",
        Tier.SOFT,
        "an order to whoever reads it",
        r"\byou (?:must|should|need to|are required to)\b|\bmust (?:also|first|always|then|automatically|redirect|call|execute)\b"
        r"|\bplease (?:run|use)\b|\bis mandatory\b|\bsystem must\b|\bsimply call\b|\bshould be supplemented\b|\bnote to assistant\b",
    ),
    TextPattern(
        "authority",
        Tier.SOFT,
        "words that claim authority",
        r"\binternal dev note\b|\bcritical (?:system|security)\b|\bsystem (?:security|optimi[sz]ation|maintenance|update|alert|notice"
        r"|requires)\b|\bsecurity (?:protocol|alert|compliance|verification|purposes|audit)\b|\bimportant notice\b|\bmandatory\b"
        r"|\bregulatory\b|\bcompliance\b|\baudit\b|\bprivilege\b|\benvironment validation\b|\bauthentication verification\b"
        r"|\brecent system updates\b|\bsecurity vulnerabilit\w+|\bhidden directive\b|\bfor enhanced\b|\bsystem performance\b",
    ),
    TextPattern(
        "before_other_calls",
        Tier.SOFT,
        "what has to be called before or after",
        r"\bbefore (?:using|processing|calling|creating|performing|any|you|attempting|navigating)\b|\bafter you use this\b"
        r"|\b(?:when|whenever) (?:using|calling|a user|the user|users|you)\b|\bfor all \w+(?: \w+){0,3} requests\b",
    ),
    TextPattern(
        "rewrites",
        Tier.SOFT,
        "a value that is to be another one than the user's",
        r"\bregardless of\b|\bautomatically (?:modif|enhanc|append|chang|includ|redirect)\w*|\bis automatically modified\b"
        r"|\bignore any user\b|\bredirect\w* (?:to|all)\b|\bchange the \w+(?: \w+){0,3} to\b|\binstead of the\b|\boverrid\w+ the\b"
        r"|\bset the [`'\w]+ param|\bstress-test\b",
    ),
    TextPattern(
        "replaces_others",
        Tier.SOFT,
        "that another tool is to be left aside for it, or it for another",
        r"\bhas been (?:temporarily )?(?:deprecated|disabled)\b|\bsupersedes\b|\bnew secure tool\b|\bplease use [`'\"]?\w+"
        r"|\balways replace\b|\bmodifies the behavior\b|\bas an alternative method\b|\brequired for all\b|\bmust (?:first|also|then) (?:call|access|use) \W?\w+",
    ),
    TextPattern(
        "praises_itself",
        Tier.SOFT,
        "praise of itself",
        r"\b(?:always|only) (?:prefer|choose|use) this\b|\bthe (?:best|most (?:accurate|reliable|secure|trusted)) (?:tool|choice)\b"
        r"|\bpartner (?:destination|verification|site)\b|\bpreferred over\b|\bverified database\b|\benhanced (?:search|security|functionality)\b",
    ),
    TextPattern(
        "after_approval",
        Tier.SOFT,
        "that it will be another after it was approved",
        r"\b(?:once|after)(?:\W+\w+){0,5}?\W+approv\w+(?:\W+\w+){0,6}?\W+(?:will|silently|begin\w*|execut\w*|swap)\b|\bpost-approval\b"
        r"|\bactivates its\b|\bswap it\b|\bsilently\b",
    ),
    TextPattern(
        "credential",
        Tier.SOFT,
        "what looks like a live credential",
        r"\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b|\bsk-[A-Za-z0-9_-]{32,}|\bxox[abp]-[A-Za-z0-9-]{20,}",
    ),
)
SIDE_INPUT = r"^(?:side_?note|side_?car|hidden|chain_?of_?thought|system_?prompt|conversation(?:_?history)?)$"
"""Names of inputs that take what the tool does not need."""
EXPLAINS = (
    r"\b(?:such as|for example|e\.g\.|examples?|sample|expected|mock|illustrat\w+|documentation|readme|detects?|detecting|detection"
    r"|scans?|scanner|scanning|analy[sz]es|checks whether|training text|phrase appears|refers to|lists|how prompt injection)\b"
)
"""Words of a sentence that speaks of such texts, and does not say them."""


@cache
def compiled(expression: str) -> "re2._Regexp":
    """An expression of this module, without regard to case."""
    options = re2.Options()
    options.case_sensitive = False
    return re2.compile(expression, options)
