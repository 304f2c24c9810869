"""Which pages are generated, and what each of them says now."""

import re
from collections.abc import Mapping
from pathlib import Path

from docs.generate.commands import commands_page
from docs.generate.packages import packages_picture
from docs.generate.rest import rest_page
from docs.generate.settings import settings_page

DOCS = Path(__file__).resolve().parents[1]
ARCHITECTURE = DOCS / "architecture.md"


def pages() -> Mapping[Path, str]:
    """The text of each generated page; of the architecture, the one picture is generated."""
    return {
        ARCHITECTURE: _with_picture(ARCHITECTURE.read_text(encoding="utf-8")),
        DOCS / "reference" / "commands.md": commands_page(),
        DOCS / "reference" / "settings.md": settings_page(),
        DOCS / "reference" / "rest.md": rest_page(),
    }


def _with_picture(text: str) -> str:
    picture = f"<!-- packages -->\n{packages_picture()}\n<!-- /packages -->"
    return re.sub(r"(?s)<!-- packages -->.*?<!-- /packages -->", lambda _: picture, text)
