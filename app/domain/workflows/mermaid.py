"""A plan as a Mermaid flowchart."""

from app.domain.language.visible_text import visible
from app.domain.workflows.plans import InputBinding, Plan, PlanStep, StepBinding, binding_parts, red_edges
from app.domain.workflows.wording import reach_words, select_words, value_words, when_words

_UNSAFE = str.maketrans({'"': "#quot;", "<": "#lt;", ">": "#gt;", "\n": " ", "\r": " ", "`": "'", "\\": "/"})


def plan_mermaid(plan: Plan) -> str:
    """A node per step in their order; solid arrows carry a value, dotted ones only the order, thick ones a condition.

    Values of the goal that the plan does not use come first. Steps that change something have another shape; inputs
    of the plan are nodes of their own, and so is what there is no call for. What a warning about flows follows is red.
    """
    lines = ["flowchart TD"]
    lines += [
        _note(f"u{number}", f"not used: {value_words(item.value)}", item.reason)
        for number, item in enumerate(plan.unused)
    ]
    lines += [
        f'  i{number}[/"{_text(item.name)}{" (suggested)" if item.suggested else ""}"/]'
        for number, item in enumerate(plan.inputs)
    ]
    lines += [_node(step) for step in plan.steps]
    inputs = {item.name: f"i{number}" for number, item in enumerate(plan.inputs)}
    red = red_edges(plan)
    marked: list[int] = []
    drawn = 0
    for before, step in zip((None, *plan.steps), plan.steps, strict=False):
        fed: set[int] = set()
        for parameter, binding in step.bindings.items():
            for part in binding_parts(binding):
                if isinstance(part, StepBinding):
                    fed.add(part.step)
                    source = f"s{part.step}"
                else:
                    source = inputs.get(part.input, "")
                if source:
                    label = _text(f"{parameter}{_chosen(part)}")
                    lines.append(f'  {source} -->|"{label}"| s{step.position}')
                    if isinstance(part, StepBinding) and (part.step, step.position, parameter) in red:
                        marked.append(drawn)
                    drawn += 1
        for when in step.when:
            fed.add(when.step)
            lines.append(f'  s{when.step} ==>|"{_text(f"only where {when_words(when)}")}"| s{step.position}')
            drawn += 1
        if before is not None and before.position not in fed:
            lines.append(f"  s{before.position} -.-> s{step.position}")
            drawn += 1
    lines += [
        _note(f"m{number}", f"no call for: {item.task}", item.reason)
        for number, item in enumerate(plan.unmet)
    ]
    if marked:
        lines.append(f"  linkStyle {','.join(map(str, marked))} stroke:#d1242f,stroke-width:3px")
    return "\n".join(lines) + "\n"


def _chosen(part: StepBinding | InputBinding) -> str:
    """Which item of a list goes along an arrow, where it is not plainly the first, a match, or one to be chosen."""
    if not isinstance(part, StepBinding) or part.select is None:
        return ""
    select = part.select
    plain = select.by in ("first", "match", "ask") and not (select.where or select.except_ or select.sort)
    return "" if plain else select_words(select)


def _note(name: str, said: str, reason: str) -> str:
    """A node that no arrow leads to."""
    return f'  {name}>"{_text(said)}{f"<br/>{_text(reason)}" if reason else ""}"]'


def _node(step: PlanStep) -> str:
    label = _text(f"{step.position}. {step.workflow_id or step.tool_id}")
    if step.purpose:
        label += f"<br/>{_text(step.purpose)}"
    label += "".join(f"<br/>{_text(said)}" for said in reach_words(step))
    opening, closing = ("[[", "]]") if step.workflow_id else ("{{", "}}") if step.mutating else ("[", "]")
    return f'  s{step.position}{opening}"{label}"{closing}'


def _text(text: str) -> str:
    return visible(text.translate(_UNSAFE))
