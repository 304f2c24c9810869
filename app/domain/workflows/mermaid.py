"""A plan as a Mermaid flowchart."""

from app.domain.language.visible_text import visible
from app.domain.workflows.plans import Plan, PlanStep, StepBinding, binding_parts

_UNSAFE = str.maketrans({'"': "#quot;", "<": "#lt;", ">": "#gt;", "\n": " ", "\r": " ", "`": "'", "\\": "/"})


def plan_mermaid(plan: Plan) -> str:
    """A node per step in their order; solid arrows carry a value, dotted ones only the order.

    Steps that change something have another shape; inputs of the plan are nodes of their own.
    """
    lines = ["flowchart TD"]
    lines += [f'  i{number}[/"{_text(item.name)}"/]' for number, item in enumerate(plan.inputs)]
    lines += [_node(step) for step in plan.steps]
    inputs = {item.name: f"i{number}" for number, item in enumerate(plan.inputs)}
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
                    lines.append(f'  {source} -->|"{_text(parameter)}"| s{step.position}')
        if before is not None and before.position not in fed:
            lines.append(f"  s{before.position} -.-> s{step.position}")
    return "\n".join(lines) + "\n"


def _node(step: PlanStep) -> str:
    label = _text(f"{step.position}. {step.workflow_id or step.tool_id}")
    if step.purpose:
        label += f"<br/>{_text(step.purpose)}"
    opening, closing = ("[[", "]]") if step.workflow_id else ("{{", "}}") if step.mutating else ("[", "]")
    return f'  s{step.position}{opening}"{label}"{closing}'


def _text(text: str) -> str:
    return visible(text.translate(_UNSAFE))
