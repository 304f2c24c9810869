"""Which texts of a node count in which field of its document, what each is worth, and what a tool costs in a prompt."""

import json
from collections.abc import Iterable

from app.domain.language.text import split_first_sentence
from app.domain.nodes.models import Concept, Generator, Method, Template, Tool
from app.domain.schemas.walk import parameters

MAX_OUTPUTS = 60
ANALYSED_CHARS = 20_000
"""Of a tool's description: the longest of 53,082 public tools has 10,467. Every start analyses them again."""
HEARD_WORDS = 300
"""Of a description of a source that is not trusted in full: on public sets one tool is longer, which a flood of words
would be too."""
PAIRED_FIELDS = frozenset({"name", "description", "tags", "examples", "surface"})
"""Fields whose neighbouring words are pairs."""


def tool_texts(tool: Tool) -> tuple[str, ...]:
    """A tool's texts in the order of `RankingRecipe.tool_fields`."""
    first, rest = split_first_sentence(_heard(tool))
    inputs = parameters(tool.input_schema, nested=1)
    outputs = parameters(tool.output_schema, nested=0)[:MAX_OUTPUTS]
    return (
        tool.name,
        tool.server,
        tool.title,
        first,
        rest,
        "\n".join(parameter.name for parameter in inputs),
        "\n".join(parameter.description for parameter in inputs),
        "\n".join(value for parameter in inputs for value in parameter.values),
        "\n".join(output.name for output in outputs),
        "\n".join(output.description for output in outputs),
        "\n".join(request.text for request in tool.requests),
    )


def _heard(tool: Tool) -> str:
    """What of a description counts."""
    text = tool.description[:ANALYSED_CHARS]
    return text if tool.trust is None else " ".join(text.split()[:HEARD_WORDS])


def tool_text(texts: tuple[str, ...]) -> str:
    """A tool's own part of its KG-Hybrid document: name, description, parameter names."""
    name, _, _, first, rest, names, *_ = texts
    return "\n".join((name, first, rest, names))


def method_texts(method: Method) -> tuple[str, ...]:
    """A method's texts in the order of `RankingRecipe.method_fields`, without pairs."""
    return (
        method.name,
        method.description,
        "\n".join(method.tags),
        method.category,
        "\n".join(method.examples),
        "\n".join(method.parameters),
    )


def method_text(texts: tuple[str, ...]) -> str:
    """A method's KG-Hybrid document: name, description, tags, category id, examples."""
    return "\n".join(texts[:5])


def generator_texts(generator: Generator) -> tuple[str, ...]:
    """A generator's texts as those of a method of the tool that it uses."""
    return (generator.name, generator.description, "", "", "", "\n".join(generator.parameters))


def template_texts(template: Template) -> tuple[str, ...]:
    """A template's texts in the order of `RankingRecipe.template_fields`, without pairs."""
    return (template.name, template.surface, "\n".join(template.tags), template.interior)


def template_text(texts: tuple[str, ...]) -> str:
    """A template's KG-Hybrid document: name, surface, tags."""
    return "\n".join(texts[:3])


def concept_texts(concept: Concept) -> tuple[str, ...]:
    """A concept's texts in the order of `RankingRecipe.concept_fields`, without pairs."""
    return (concept.name, concept.description, "\n".join(concept.tags))


BYTES_PER_TOKEN = 4


def definition_bytes(tool: Tool) -> int:
    """Bytes of a tool's definition as compact JSON: `{"name","description","inputSchema"}`, UTF-8."""
    name = json.dumps(tool.name, ensure_ascii=False)
    description = json.dumps(tool.description, ensure_ascii=False)
    schema = tool.input_schema or "{}"
    text = f'{{"name":{name},"description":{description},"inputSchema":{schema}}}'
    return len(text.encode("utf-8", "surrogatepass"))


def estimate_tokens(definitions: Iterable[int]) -> int:
    """Tokens of a list of tool definitions, given the bytes of each: ceil(bytes of compact JSON / 4).

    An estimate: tokenizers differ, and 4 bytes a token is what English text and JSON come to.
    """
    sizes = list(definitions)
    total = 2 + sum(sizes) + max(0, len(sizes) - 1)
    return -(-total // BYTES_PER_TOKEN)
