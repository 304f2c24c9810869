"""Arazzo 1.0 documents: workflows with their steps, and what one call takes from another."""

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from app.adapters.documents.structured_text import JsonValue, parse_text
from app.domain.language.accepted_text import check_name, kind_of, shown
from app.domain.nodes.models import ToolId
from app.domain.schemas.walk import as_list, as_object, as_text, texts_in
from app.domain.workflows.plans import Plan, PlanStep
from app.errors import InvalidInputError, SourceRefusedError
from ingest.cards import (
    Origin,
    Rejected,
    SourceDocument,
    sha256,
)
from ingest.sources.arazzo.cards import ArazzoWorkflow, tool_notes, without_hidden_texts, workflow_card
from ingest.sources.arazzo.expressions import EarlierStep, Scope, step_outputs
from ingest.sources.arazzo.extensions import conditions, left_over, plan_warnings, selected
from ingest.sources.arazzo.operations import (
    Call,
    Described,
    Sources,
    called_tool,
    read_descriptions,
    source_in,
)
from ingest.sources.arazzo.values import step_values, workflow_inputs
from ingest.sources.hidden_text import Cleaner, Removals

ACCEPTED = "accepted: Arazzo 1.0 ('arazzo: 1.0.x')"


def parse_arazzo(data: bytes, origin: Origin, *, sources: Sources) -> SourceDocument:
    """The workflows of a document, and the dependencies between tools that they state.

    Tools of sources that cannot be read here are declared, with a warning. A workflow that cannot be read
    is rejected by name; the rest goes on.

    Raises:
        SourceRefusedError: this is no Arazzo document, or one of a version that is not read. The message
            names the file and the place.
    """
    document = parse_text(data, name=_label(origin.uri))
    workflows, rejected, warnings = read_workflows(
        document, name=origin.name, uri=origin.uri, sources=sources
    )
    version = as_object(document.get("info")).get("version", "")
    return SourceDocument(
        source=origin.source(version=version, content_hash=sha256(data)),
        cards=tuple(workflow_card(workflow, source=origin.name) for workflow in workflows),
        notes=tool_notes([workflow.plan for workflow in workflows]),
        rejected=tuple(rejected),
        warnings=tuple(warnings),
    )


def read_workflows(
    document: JsonValue, *, name: str, uri: str, sources: Sources
) -> tuple[list[ArazzoWorkflow], list[Rejected], list[str]]:
    """Every workflow of a parsed document as a plan, those that cannot be read, and warnings.

    Raises:
        SourceRefusedError: as `parse_arazzo`.
    """
    label = _label(uri)
    document = _check_arazzo(document, name=label)
    base = uri if "://" in uri else Path(uri).resolve().as_uri()
    described, warnings = read_descriptions(document.get("sourceDescriptions"), base=base, sources=sources)
    reader = _Reader(document, described, name)
    workflows: list[ArazzoWorkflow] = []
    rejected: list[Rejected] = []
    for index, stated in enumerate(document["workflows"]):
        try:
            workflow = reader.workflow(stated)
        except InvalidInputError as error:
            given = as_object(stated).get("workflowId")
            item = f"workflow {shown(given)}" if isinstance(given, str) else f"workflows[{index}]"
            rejected.append(Rejected(item=item, reason=str(error)))
            continue
        if any(workflow.name == other.name for other in workflows):
            rejected.append(
                Rejected(
                    item=f"workflow {shown(workflow.name)}",
                    reason="this workflowId comes twice; the first is kept",
                )
            )
        else:
            workflows.append(workflow)
    lines = (f"{label}: {line}" for line in (*warnings, *reader.warnings, *reader.removals.lines()))
    return workflows, rejected, list(dict.fromkeys(lines))


def _check_arazzo(document: JsonValue, *, name: str) -> dict[str, JsonValue]:
    """The document, if it is one of Arazzo 1.0.

    Raises:
        SourceRefusedError: it is something else; the message says what.
    """
    if not isinstance(document, dict):
        raise SourceRefusedError(f"{name}: #: {shown(document)} is {kind_of(document)}; {ACCEPTED}")
    for key, called in (("asyncapi", "AsyncAPI"), ("openapi", "OpenAPI"), ("swagger", "Swagger")):
        if key in document and "arazzo" not in document:
            raise SourceRefusedError(
                f"{name}: #/{key}: {called} {shown(document[key])}, not Arazzo; {ACCEPTED}"
            )
    version = str(document.get("arazzo", ""))
    if not re.fullmatch(r"1\.0(\.\d+.*)?", version):
        found = f"version {version!r:.60} is not read" if "arazzo" in document else "missing"
        raise SourceRefusedError(f"{name}: #/arazzo: {found}; {ACCEPTED}")
    workflows = document.get("workflows")
    if not isinstance(workflows, list) or not workflows:
        raise SourceRefusedError(f"{name}: #/workflows: {shown(workflows)}; accepted: a list of workflows")
    return document


class _Reader:
    """Reads the workflows of one document."""

    def __init__(self, document: Mapping[str, JsonValue], described: list[Described], source: str) -> None:
        self._components = as_object(document.get("components"))
        self._described = described
        self._source = source
        self._document = document
        self.warnings: list[str] = []
        self.removals = Removals()

    def workflow(self, stated: JsonValue) -> ArazzoWorkflow:
        """One workflow.

        Raises:
            InvalidInputError: it has no name or no steps, it cannot be determined what a step calls, or a name or
                a value holds a hidden character.
        """
        if not isinstance(stated, dict):
            raise InvalidInputError(
                f"{shown(stated)} is {kind_of(stated)}; accepted: a workflow, which is an object"
            )
        name = check_name(stated.get("workflowId"), field="workflowId")
        listed = stated.get("steps")
        if not isinstance(listed, list) or not listed:
            raise InvalidInputError(f"steps: {shown(listed)}; accepted: a list of steps")
        inputs = workflow_inputs(stated.get("inputs"), self._document)
        names = frozenset(item.name for item in inputs)
        earlier: dict[str, EarlierStep] = {}
        steps: list[PlanStep] = []
        for position, item in enumerate(listed, start=1):
            scope = Scope(names, dict(earlier))
            step_id, step, known = self._step(item, position, scope, stated, f"workflow {name!r:.100}")
            steps.append(step)
            if step_id in earlier:
                self.warnings.append(
                    f"workflow {name!r:.100}: stepId {step_id!r:.100} comes twice; later steps mean the later one"
                )
            earlier[step_id] = known
        outputs, problems = step_outputs(stated.get("outputs"), position=0, scope=Scope(names, earlier))
        self.warnings.extend(f"workflow {name!r:.100}: {problem}; left out" for problem in problems)
        problems = []
        unused, unmet = left_over(stated, problems)
        self.warnings.extend(f"workflow {name!r:.100}: {problem}" for problem in problems)
        summary = _text(stated.get("summary"))
        plan = Plan(
            goal=summary or _text(stated.get("description")),
            steps=tuple(steps),
            inputs=inputs,
            outputs=outputs,
            warnings=plan_warnings(stated),
            unused=unused,
            unmet=unmet,
        )
        cleaner = Cleaner()
        plan = without_hidden_texts(plan, cleaner)
        description = cleaner.text(_text(stated.get("description")), "description")
        self.removals.add(f"workflow {shown(name)}", cleaner)
        return ArazzoWorkflow(name, description, plan)

    def _step(
        self, item: JsonValue, position: int, scope: Scope, workflow: Mapping[str, JsonValue], where: str
    ) -> tuple[str, PlanStep, EarlierStep]:
        if not isinstance(item, dict):
            raise InvalidInputError(
                f"steps[{position - 1}]: {shown(item)} is {kind_of(item)}; accepted: a step"
            )
        step_id = item.get("stepId")
        if not isinstance(step_id, str) or not step_id:
            raise InvalidInputError(f"steps[{position - 1}]: has no stepId")
        label = f"{where}: step {step_id!r:.100}"
        workflow_id = ""
        call = Call("", None)
        if isinstance(item.get("workflowId"), str):
            workflow_id = self._workflow_id(item["workflowId"])
        else:
            try:
                call = called_tool(item, self._described)
            except InvalidInputError as error:
                raise InvalidInputError(f"step {step_id!r:.100}: {error}") from error
        bindings, problems = step_values(item, workflow, self._components, call.operation, scope)
        outputs, more = step_outputs(item.get("outputs"), position=position, scope=scope)
        chosen = dict(selected(outputs, item, more))
        when = conditions(item, scope, more)
        for problem in (*([call.warning] if call.warning else []), *problems, *more):
            self.warnings.append(f"{label}: {problem}")
        for action in ("onSuccess", "onFailure"):
            if any(isinstance(a, dict) and a.get("type") == "goto" for a in as_list(item.get(action))):
                self.warnings.append(
                    f"{label}: {action} jumps; the steps are kept in the order in which they are listed"
                )
        stated_mutating = item.get("x-outfitter-mutating")
        step = PlanStep(
            position=position,
            tool_id=ToolId(call.tool_id),
            workflow_id=workflow_id,
            purpose=_text(item.get("description")),
            bindings=bindings,
            when=when,
            alternatives=tuple(map(ToolId, texts_in(item.get("x-outfitter-alternatives")))),
            ask=item.get("x-outfitter-ask") is True,
            mutating=stated_mutating is True
            or (call.operation is not None and not call.operation.read_only and stated_mutating is None),
        )
        known = EarlierStep(position, chosen, bool(workflow_id))
        return step_id, step, known

    def _workflow_id(self, text: str) -> str:
        """The graph's id of the workflow that a step runs."""
        if text.startswith("$sourceDescriptions."):
            source, name = source_in(text, self._described, field="workflowId")
            return f"{source.server}/{name}"
        return f"{self._source}/{text}"


def _label(uri: str) -> str:
    if uri.startswith("file:"):
        return Path(url2pathname(urlsplit(uri).path)).name
    return uri if "://" in uri else Path(uri).name


def _text(value: JsonValue) -> str:
    return as_text(value).strip()
