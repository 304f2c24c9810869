"""The REST calls that give what a page shows."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from pydantic import BaseModel

from app.web.addresses import path


@dataclass(frozen=True, slots=True)
class Twin:
    """One call of the REST interface."""

    method: str
    address: str
    """Below the service, such as `v1/tools?limit=50`."""
    body: Mapping[str, Any] | None = None

    def curl(self, service: str, *, token: bool) -> str:
        """The call as a command; the token is named, never written.

        Args:
            service: The address of the service, without a slash at its end.
            token: Whether one is needed.
        """
        lines = [f"curl -sS {shlex.quote(f'{service}/{self.address}')}"]
        if token:
            lines.append('-H "Authorization: Bearer $OUTFITTER_API_TOKEN"')
        if self.method not in {"GET", "POST"} or (self.method == "POST" and self.body is None):
            lines[0] = lines[0].replace("curl -sS", f"curl -sS -X {self.method}", 1)
        if self.body is not None:
            lines.append("-H 'Content-Type: application/json'")
            lines.append(f"-d {shlex.quote(json.dumps(self.body, ensure_ascii=False))}")
        return " \\\n  ".join(lines)


def reads(*segments: str, **query: object) -> Twin:
    """A GET of this address."""
    said = urlencode(
        [
            (name, str(value).lower() if isinstance(value, bool) else str(value))
            for name, value in query.items()
            if value not in (None, "")
        ]
    )
    address = path("v1", *segments)
    return Twin("GET", f"{address}?{said}" if said else address)


def asks(call: str, body: BaseModel) -> Twin:
    """A POST of this body; what is as by default is left out."""
    return Twin("POST", path("v1", call), body.model_dump(mode="json", exclude_defaults=True))
