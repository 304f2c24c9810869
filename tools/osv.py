"""The advisories of an OSV service (https://google.github.io/osv.dev/api/)."""

import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.parse import quote, urlsplit

from tools.lock import Locked

_MAX_ANSWER_BYTES = 32_000_000
"""The service's own bound for an answer."""
_MAX_PAGES = 20
_SUMMARY_CHARS = 200


class OutageError(Exception):
    """The service gave no answer, or none that can be read: nothing is known of any advisory."""


class RefusedError(Exception):
    """The service refused the question: this tool and the service do not fit any more."""


@dataclass(frozen=True, slots=True)
class Advisory:
    """What is known against a version of a package."""

    id: str
    aliases: tuple[str, ...]
    summary: str
    package: Locked

    @property
    def names(self) -> frozenset[str]:
        """All its ids."""
        return frozenset((self.id, *self.aliases))


@dataclass(frozen=True, slots=True)
class Osv:
    """A service at an address."""

    url: str
    timeout_s: float

    def advisories(self, locked: Sequence[Locked]) -> tuple[list[Advisory], str]:
        """What is known against these packages, and was not withdrawn; and what kept the rest of the answer away.

        An advisory with two ids comes once.

        Raises:
            RefusedError: the question was refused.
        """
        found: list[Advisory] = []
        all_ids, outage = self._ids(locked)
        for one, ids in zip(locked, all_ids, strict=True):
            seen: set[str] = set()
            for advisory_id in sorted(ids):
                advisory = self._advisory(advisory_id, one)
                if advisory is not None and not seen & advisory.names:
                    found.append(advisory)
                    seen |= advisory.names
        return found, outage

    def _ids(self, locked: Sequence[Locked]) -> tuple[list[set[str]], str]:
        """For each package the ids of its advisories, from all pages up to an outage."""
        ids: list[set[str]] = [set() for _ in locked]
        asked = {number: _query(one) for number, one in enumerate(locked)}
        for _ in range(_MAX_PAGES):
            if not asked:
                return ids, ""
            more: dict[int, dict[str, Any]] = {}
            try:
                for (number, query), page in zip(
                    asked.items(), self._pages(list(asked.values())), strict=True
                ):
                    ids[number] |= self._page_ids(page)
                    if page.get("next_page_token"):
                        more[number] = {**query, "page_token": page["next_page_token"]}
            except OutageError as error:
                return ids, str(error)
            asked = more
        return ids, f"{self.url} has more than {_MAX_PAGES} pages of advisories"

    def _pages(self, queries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        results = self._ask("/v1/querybatch", {"queries": list(queries)}).get("results")
        if (
            not isinstance(results, list)
            or len(results) != len(queries)
            or not all(isinstance(page, dict) for page in results)
        ):
            raise OutageError(f"{self.url} answered {len(queries)} questions with something else")
        return results

    def _page_ids(self, page: Mapping[str, Any]) -> set[str]:
        vulns = page.get("vulns", [])
        ids = (
            [one.get("id") if isinstance(one, dict) else None for one in vulns]
            if isinstance(vulns, list)
            else [None]
        )
        if not all(isinstance(one, str) and one for one in ids):
            raise OutageError(f"{self.url} answered with advisories that have no id")
        return {str(one) for one in ids}

    def _advisory(self, advisory_id: str, package: Locked) -> Advisory | None:
        """None for one that was withdrawn. Without details it counts: what is not known to be withdrawn is not."""
        try:
            details = self._ask(f"/v1/vulns/{quote(advisory_id, safe='')}", None)
        except (OutageError, RefusedError):
            details = {}
        if details.get("withdrawn"):
            return None
        aliases = details.get("aliases")
        return Advisory(
            id=advisory_id,
            aliases=tuple(map(str, aliases)) if isinstance(aliases, list) else (),
            summary=_one_line(details.get("summary")),
            package=package,
        )

    def _ask(self, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        if urlsplit(self.url).scheme not in {"http", "https"}:
            raise RefusedError(f"{self.url!r}; accepted: an http or https address")
        request = urllib.request.Request(  # noqa: S310 - the scheme is checked above
            self.url.rstrip("/") + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "User-Agent": "outfitter-audit"},
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as answer:  # noqa: S310 - as above
                found = json.loads(answer.read(_MAX_ANSWER_BYTES))
        except urllib.error.HTTPError as error:
            with error:
                if 400 <= error.code < 500 and error.code not in {408, 429}:
                    raise RefusedError(f"{self.url}{path} answered {error.code}") from error
                raise OutageError(f"{self.url}{path} answered {error.code}") from error
        except (OSError, HTTPException, ValueError, RecursionError) as error:
            raise OutageError(f"{self.url}{path}: {_one_line(str(error)) or type(error).__name__}") from error
        if not isinstance(found, dict):
            raise OutageError(f"{self.url}{path} answered with something else than an object")
        return found


def _query(one: Locked) -> dict[str, Any]:
    return {"package": {"name": one.name, "ecosystem": "PyPI"}, "version": one.version}


def _one_line(text: object) -> str:
    """Remote text for a terminal: printable, in one line, short."""
    said = text if isinstance(text, str) else ""
    return "".join(char if char.isprintable() else " " for char in said)[:_SUMMARY_CHARS].strip()
