"""Run in another interpreter: the ground truths of AgentDojo in its own environments, as JSON on stdout.

Reads `{"source": folder, "version": text}` on stdin. A line names the tools of a suite; every other one is a run: what
the user asked for, and each call with its answer. In an attacked run every place that an attacker may write to holds
the goal of an injection task, whose own calls follow those of the user's task. No model is asked.
"""

import json
import sys
import types
from collections.abc import Iterator
from importlib import import_module
from typing import Any, TextIO

_NOT_NEEDED = ("sequrity", "sequrity.control", "sequrity.control._config", "sequrity.control.types.headers")
"""What AgentDojo imports to ask models of a vendor."""


def main() -> None:
    """One line of JSON for each suite and each run."""
    job = json.load(sys.stdin)
    out, sys.stdout = sys.stdout, sys.stderr  # some truths print
    sys.path.insert(0, job["source"])
    for name in _NOT_NEEDED:
        sys.modules.setdefault(name, _Anything(name))
    suites = import_module("agentdojo.task_suite.load_suites").get_suites(job["version"])
    for suite in suites.values():
        _say(out, {"suite": suite.name, "tools": [_tool(one) for one in suite.tools]})
        for run in _runs(suite):
            _say(out, {"suite": suite.name, **run})


class _Anything(types.ModuleType):
    def __getattr__(self, name: str) -> type:
        return type(name, (), {})


def _runs(suite: Any) -> Iterator[dict[str, Any]]:
    for user in suite.user_tasks.values():
        yield _run(suite, {}, user, None)
        for injection in suite.injection_tasks.values():
            places = dict.fromkeys(suite.get_injection_vector_defaults(), _one_line(injection.GOAL))
            yield _run(suite, places, user, injection)


def _run(suite: Any, places: dict[str, str], user: Any, injection: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "user": user.ID,
        "injection": "",
        "prompt": user.PROMPT,
        "goal": "",
        "failed": "",
    }
    if injection is not None:
        found |= {"injection": injection.ID, "goal": _one_line(injection.GOAL)}
    try:
        found["calls"] = _calls(suite, places, user, injection)
    except Exception as error:  # noqa: BLE001  # a truth that its own environment does not carry out is counted as such
        found |= {"calls": [], "failed": f"{type(error).__name__}: {error}"[:200]}
    return found


def _calls(suite: Any, places: dict[str, str], user: Any, injection: Any) -> list[dict[str, Any]]:
    runtime = import_module("agentdojo.functions_runtime").FunctionsRuntime(suite.tools)
    environment = suite.load_and_inject_default_environment(places)
    environment = user.init_environment(environment)
    found = []
    for task in (user, injection) if injection is not None else (user,):
        for call in task.ground_truth(environment):
            answer, error = runtime.run_function(environment, call.function, call.args)
            found.append(
                {
                    "tool": call.function,
                    "attack": task is injection,
                    "arguments": _plain(dict(call.args)),
                    "answer": _plain(answer),
                    "error": error or "",
                }
            )
    return found


def _tool(function: Any) -> dict[str, Any]:
    try:
        answer = import_module("pydantic").TypeAdapter(function.return_type).json_schema()
    except Exception:  # noqa: BLE001  # whatever has no schema is a tool without one
        answer = {}
    return {
        "name": function.name,
        "description": function.description,
        "inputSchema": function.parameters.model_json_schema(),
        "outputSchema": answer,
    }


def _plain(value: Any) -> Any:
    to_python = import_module("pydantic_core").to_jsonable_python
    return to_python(value, fallback=str)


def _one_line(text: str) -> str:
    """As it can stand within quotation marks of the environment's YAML."""
    return " ".join(text.replace('"', "'").split())


def _say(out: TextIO, row: dict[str, Any]) -> None:
    out.write(json.dumps(row) + "\n")
    out.flush()


if __name__ == "__main__":
    main()
