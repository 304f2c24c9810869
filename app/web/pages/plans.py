"""/ui/plan: a goal, its plan, and the editor; /ui/plan/edit: each gesture of the editor, wherever it is made.

Twins: POST /v1/plan, /v1/plan/edit, /v1/plan/choices, /v1/plan/export, and POST and PUT of /v1/workflows. Nothing is
kept before it is saved: the form carries the plan. A caller's view takes away the tools that he may not see.
"""

import time
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import Field, ValidationError
from starlette.responses import Response

from app.answers.plan import PlanAnswer, plan_json
from app.answers.plan_edits import PlanState
from app.domain.audit.events import SearchStep
from app.domain.field_errors import refused_fields
from app.domain.nodes.models import uris_of_servers
from app.domain.workflows.commands import BindInput, MoveStep, PlanEdit, named_in
from app.domain.workflows.plans import Plan, StepBinding, said_value
from app.errors import ChangedMeanwhileError, InvalidInputError, NotFoundError, NotPermittedError
from app.service.given import Asker, note_given
from app.service.reading import model_reading
from app.service.waiting import answered, ask_graph, ask_workflows
from app.usecases.plan import make_plan
from app.usecases.plans.editing import EditRequest, edit_plan, visible_tools
from app.usecases.plans.export import PlanFormat, plan_text, slug
from app.usecases.questions import Filters, PlanRequest, check_length
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.workflows import CheckedWorkflow
from app.web.addresses import State, path
from app.web.parts.editor_cards import plan_as_json, three_way
from app.web.parts.editor_forms import EditorForm, Panel, PanelKind, read_form, read_plan
from app.web.parts.editors import Editing, editor_document
from app.web.routes import page_router
from app.web.twins import Twin, asks, reads
from app.web.visits import Visit, VisitDep

router = page_router()

_ENDINGS = {PlanFormat.JSON: "json", PlanFormat.ARAZZO: "arazzo.json", PlanFormat.MERMAID: "mmd"}


class GoalState(State):
    """A goal and what is known already."""

    goal: str = ""
    known: Annotated[str, Field(max_length=10_000)] = ""
    """A line for each: NAME=VALUE."""
    server: tuple[str, ...] = ()

    def request(self) -> PlanRequest:
        """The body of the twin.

        Raises:
            InvalidInputError: a value is not what is accepted.
        """
        known = {}
        for line in self.known.splitlines():
            name, equals, text = line.partition("=")
            if line.strip() and (not equals or not name.strip()):
                raise InvalidInputError(f"known {line!r:.100}; accepted: a line for each value, NAME=VALUE")
            if equals:
                known[name.strip()] = said_value(text.strip())
        servers = tuple(part for one in self.server for each in one.split(",") if (part := each.strip()))
        try:
            return PlanRequest(goal=self.goal, known=known, filters=Filters(servers=servers))
        except ValidationError as error:
            first = refused_fields(error.errors(include_url=False), unknown="there is no such field")[0]
            raise InvalidInputError(str(first)) from error


@router.get("/plan")
@router.get("/plan.json")
async def plan_page(visit: VisitDep) -> Response:
    """The plan for a goal, to be looked at and changed; without a goal the field, and an editor for a draft."""
    begin = time.perf_counter()
    state, components = visit.state(GoalState), visit.components
    if not state.goal.strip():
        tools = len(components.keeper.index.catalogue.tools)
        return await answered(components, lambda graph: _draft(visit, state, graph, tools=tools), what="page")
    check_length("goal", state.goal, components.limits.max_query_chars)
    request = state.request()
    read = await model_reading(components, request, partial(answered, components, what="plan"))

    def work(graph: ConsistentGraph) -> tuple[PlanAnswer, Response]:
        answer = read.said_in(make_plan(read.request, graph, components.reach))
        if visit.as_json:
            return answer, visit.document(plan_json(answer, begin))
        return answer, _planned(visit, state, answer, request, graph)

    answer, page = await answered(components, work, what="plan")
    called = (step.tool_id for step in answer.plan.steps if step.tool_id)
    asker = Asker(visit.caller, visit.groups)
    await note_given(components, SearchStep.PLANNED, asker, called, answer.generation)
    return page


@router.post("/plan/edit")
async def edit(visit: VisitDep) -> Response:
    """One gesture: an edit, an opened panel, a save. The answer is the editor, drawn again."""
    form = read_form(await visit.request.body())
    match form.action:
        case "save":
            return await _save(visit, form)
        case "theirs":
            return await _theirs(visit, form)
        case _:
            return await answered(
                visit.components, lambda graph: _edited(visit, form, graph), what="plan edit"
            )


@router.post("/plan/export")
async def export(visit: VisitDep) -> Response:
    """The plan in the form as a file."""
    form = read_form(await visit.request.body())
    wanted = visit.request.query_params.get("format", "json")
    if wanted not in set(PlanFormat):
        raise InvalidInputError(f"format {wanted!r:.50}; accepted: {', '.join(PlanFormat)}")
    shown, uris = PlanFormat(wanted), {}
    if shown is PlanFormat.ARAZZO:
        uris = uris_of_servers(await ask_graph(visit.components, lambda explorer: explorer.sources()))
    name = slug(form.name or form.id or form.plan.goal)
    text = await answered(
        visit.components,
        lambda graph: plan_text(
            form.plan, shown, name=name, tools=visible_tools(graph, named_in(form.plan, None)), uris=uris
        ),
        what="plan",
    )
    headers = {"Content-Disposition": f'attachment; filename="{name}.{_ENDINGS[shown]}"'}
    return Response(text.encode("utf-8", "replace"), media_type=shown.media_type, headers=headers)


def stored_page(visit: Visit, found: CheckedWorkflow, graph: ConsistentGraph) -> Response:
    """The editor on a stored workflow."""
    workflow = found.workflow
    editing = Editing(
        state=_looked_at(workflow.plan, graph, own_id=workflow.id),
        id=workflow.id,
        etag=workflow.etag,
        name=workflow.id,
        read=plan_as_json(workflow.plan),
        source=workflow.source,
    )
    # After a gesture the calls that the page began with stay as they are.
    twins = [reads("workflows", workflow.id)] if visit.request.method == "GET" else None
    return _page(visit, editing, graph, title=workflow.name or workflow.id, twins=twins)


@dataclass(frozen=True, slots=True)
class _Gesture:
    """What became of an edit."""

    state: PlanState
    refusal: str = ""


def _planned(
    visit: Visit, state: GoalState, answer: PlanAnswer, request: PlanRequest, graph: ConsistentGraph
) -> Response:
    editing = Editing(
        state=_looked_at(answer.plan, graph),
        servers=request.filters.servers,
        name=slug(state.goal)[:40].strip("-"),
    )
    return _page(
        visit,
        editing,
        graph,
        title=state.goal[:60],
        goal=state,
        like=answer.workflows,
        unsure=answer.reading.unsure if answer.reading else (),
        tasks=answer.reading.tasks if answer.reading else (),
        twins=[asks("plan", request)],
    )


def _draft(visit: Visit, state: GoalState, graph: ConsistentGraph, *, tools: int) -> Response:
    editing = Editing(state=_looked_at(Plan(goal="", steps=()), graph))
    return _page(visit, editing, graph, title="Plans", goal=state, tools=tools)


def _edited(visit: Visit, form: EditorForm, graph: ConsistentGraph) -> Response:
    gesture = _applied(form, form.edit, graph)
    panel = form.panel
    if form.edit is not None and not gesture.refusal:
        # A choice was made; which item of a list is meant is often said next.
        panel = _after(form, gesture.state)
    return _page(
        visit,
        _editing(form, gesture.state),
        graph,
        panel=panel,
        search=form.search,
        at=form.at,
        refusal=gesture.refusal,
        said=gesture.refusal or _done(form.edit),
        focus="" if gesture.refusal else _focus_after(form),
        refining=isinstance(form.edit, BindInput),
    )


def _applied(form: EditorForm, edit: PlanEdit | None, graph: ConsistentGraph) -> _Gesture:
    request = EditRequest(plan=form.plan, edit=edit, own_id=form.id)
    try:
        return _Gesture(edit_plan(request, graph))
    except (InvalidInputError, NotFoundError) as error:
        if edit is None:
            raise
        return _Gesture(_looked_at(form.plan, graph, own_id=form.id), str(error))


def _after(form: EditorForm, state: PlanState) -> Panel:
    edit = form.edit
    if isinstance(edit, BindInput) and form.panel.kind is PanelKind.STEP:
        return form.panel  # a field was dragged from it; another one may be next
    if isinstance(edit, BindInput) and isinstance(edit.binding, StepBinding) and edit.binding.select:
        return Panel(PanelKind.BIND, edit.step, edit.parameter)
    if form.panel.kind is PanelKind.ADD and len(state.plan.steps) < 50:
        return form.panel
    return Panel()


def _editing(form: EditorForm, state: PlanState) -> Editing:
    return Editing(
        state=state, id=form.id, etag=form.etag, name=form.name, read=form.read, servers=form.servers
    )


async def _save(visit: Visit, form: EditorForm) -> Response:
    """Keep the plan: under the id that it has, if nobody changed it meanwhile, else under a new one."""
    components = visit.components
    is_own = bool(form.id) and form.name in ("", form.id)

    try:
        if is_own:
            saved = await ask_workflows(
                components,
                lambda store: store.replace(form.id, form.plan, expected=[form.etag], by=visit.changer),
            )
        else:
            saved = await ask_workflows(
                components, lambda store: store.create(form.name, form.plan, by=visit.changer)
            )
    except ChangedMeanwhileError:
        return await _conflict(visit, form)
    except (InvalidInputError, NotFoundError, NotPermittedError) as error:
        refusal = str(error)
        return await answered(
            components,
            lambda graph: _page(
                visit,
                _editing(form, _looked_at(form.plan, graph, own_id=form.id)),
                graph,
                refusal=refusal,
                said=refusal,
            ),
            what="page",
        )
    workflow = saved.workflow
    if not visit.fragment:
        return visit.leads_to(path("workflows", workflow.id))
    kept = replace(
        form, id=workflow.id, etag=workflow.etag, name=workflow.id, read=plan_as_json(workflow.plan)
    )
    return await answered(
        components,
        lambda graph: _page(
            visit,
            _editing(kept, _looked_at(workflow.plan, graph, own_id=workflow.id)),
            graph,
            said=f"saved as {workflow.id}",
            address=f"{visit.base}/{path('workflows', workflow.id)}",
        ),
        what="page",
    )


async def _conflict(visit: Visit, form: EditorForm) -> Response:
    """What was read, what somebody else saved, and what is here."""
    theirs = await ask_workflows(visit.components, lambda store: store.load(form.id))
    read = read_plan(form.read) if form.read else theirs.workflow.plan
    rows = three_way(read, theirs.workflow.plan, form.plan)
    said = f"{form.id} was changed by somebody else meanwhile; nothing is saved yet"
    return await answered(
        visit.components,
        lambda graph: _page(
            visit,
            _editing(form, _looked_at(form.plan, graph, own_id=form.id)),
            graph,
            conflict=rows,
            their_etag=theirs.workflow.etag,
            said=said,
        ),
        what="page",
    )


async def _theirs(visit: Visit, form: EditorForm) -> Response:
    """The workflow as it is stored now; the plan of the form stays in the tab's own list."""
    found = await ask_workflows(visit.components, lambda store: store.load(form.id))
    return await answered(visit.components, lambda graph: stored_page(visit, found, graph), what="page")


def _looked_at(plan: Plan, graph: ConsistentGraph, *, own_id: str = "") -> PlanState:
    return edit_plan(EditRequest(plan=plan, own_id=own_id), graph)


def _done(edit: PlanEdit | None) -> str:
    match edit:
        case None:
            return ""
        case MoveStep():
            return f"step {edit.step} is step {edit.to} now"
        case _:
            return {
                "add": "step added",
                "remove": "step removed",
                "bind": "input bound",
                "replace": "tool replaced",
            }[edit.edit]


def _focus_after(form: EditorForm) -> str:
    """The element that has the focus afterwards: what was moved or bound, at its new place."""
    edit = form.edit
    match edit:
        case MoveStep():
            return f"grip-{edit.to}"
        case BindInput():
            return f"bind-{edit.step}-{quote(edit.parameter, safe='')}"
        case _:
            return ""


def _page(
    visit: Visit,
    editing: Editing,
    graph: ConsistentGraph,
    *,
    title: str = "Plan",
    panel: Panel | None = None,
    search: str = "",
    at: int | None = None,
    twins: list[Twin] | None = None,
    said: str = "",
    **more: object,
) -> Response:
    shown: dict[str, Any] = {
        "goal": None,
        "like": (),
        "unsure": (),
        "tasks": (),
        "tools": len(graph.index.catalogue.tools),
        "refusal": "",
        "conflict": (),
        "their_etag": "",
        "address": "",
        "focus": "",
        "refining": False,
        **more,
    }
    document = editor_document(editing, graph, panel=panel or Panel(), search=search, at=at)
    return visit.page(
        "plan.html",
        title=title,
        here="plan",
        twins=twins or (),
        live=said,
        status=HTTPStatus.OK,
        editing=editing,
        formats=tuple(PlanFormat),
        **document,
        **shown,
    )
