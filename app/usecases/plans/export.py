"""A plan as a document that other tools read."""

import json
import re
from collections.abc import Mapping
from enum import StrEnum

from app.domain.language.visible_text import visible_json
from app.domain.nodes.models import Tool
from app.domain.workflows.arazzo import arazzo_text
from app.domain.workflows.mermaid import plan_mermaid
from app.domain.workflows.plans import Plan, plan_document


class PlanFormat(StrEnum):
    """How a plan is written."""

    JSON = "json"
    ARAZZO = "arazzo"
    MERMAID = "mermaid"

    @property
    def media_type(self) -> str:
        """Of the document over HTTP."""
        return "text/plain; charset=utf-8" if self is PlanFormat.MERMAID else "application/json"


def plan_text(
    plan: Plan, shown: PlanFormat, *, name: str, tools: Mapping[str, Tool], uris: Mapping[str, str]
) -> str:
    """A plan as a document, without hidden characters: files are shown in terminals as well.

    Args:
        plan: what to write.
        shown: as what.
        name: of the workflow; what an id cannot hold is left out.
        tools: by id, those that the steps call; only Arazzo needs them.
        uris: by server, where its OpenAPI document lies; only Arazzo needs them.
    """
    match shown:
        case PlanFormat.MERMAID:
            return plan_mermaid(plan)
        case PlanFormat.ARAZZO:
            text = arazzo_text(plan, workflow_id=slug(name), tools=tools, uris=uris)
        case PlanFormat.JSON:
            text = json.dumps(plan_document(plan), indent=2, ensure_ascii=False)
    return visible_json(text) + "\n"


def slug(text: str) -> str:
    """A name as an id: lower case, hyphens, at most 60 characters; `plan` where nothing is left."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:60].strip("-") or "plan"
