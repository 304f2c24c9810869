"""Settings from the environment; command-line options override them. The only place that names variables."""

import os
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, TypeAlias

import platformdirs
from pydantic import AliasChoices, BeforeValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


def _network(text: object) -> IPv4Network | IPv6Network:
    try:
        return ip_network(str(text))
    except ValueError as error:
        raise ValueError(
            f"{error}; accepted: addresses and networks, such as 192.0.2.7, 10.0.0.0/8 and fd00::/8"
        ) from None


Network: TypeAlias = Annotated[IPv4Network | IPv6Network, BeforeValidator(_network)]


OFF = Path("off")
"""Of a folder: none."""


class Settings(BaseSettings):
    """One value per process, made in a composition root and passed on.

    The text below a field is its row in docs/reference/settings.md (`make docs`).
    """

    model_config = SettingsConfigDict(
        env_prefix="OUTFITTER_",
        extra="ignore",
        frozen=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )

    neo4j_uri: Annotated[str | None, Field(validation_alias=AliasChoices("neo4j_uri", "NEO4J_URI"))] = None
    """Bolt address of a Neo4j: `bolt://` or `neo4j://`, with `+s` or `+ssc` for TLS, without which a warning says that
    the password goes unencrypted to another machine. Unset: the embedded engine."""
    neo4j_username: Annotated[
        str, Field(validation_alias=AliasChoices("neo4j_username", "NEO4J_USERNAME"))
    ] = "neo4j"
    """User of that Neo4j."""
    neo4j_password: Annotated[
        SecretStr, Field(validation_alias=AliasChoices("neo4j_password", "NEO4J_PASSWORD"))
    ] = SecretStr("")
    """Password of that user."""
    neo4j_database: Annotated[
        str, Field(validation_alias=AliasChoices("neo4j_database", "NEO4J_DATABASE"))
    ] = "neo4j"
    """Database within that Neo4j."""

    data_dir: Path = Path(platformdirs.user_data_dir("outfitter", appauthor=False))
    """Folder of the embedded engine. The default is the platform's own folder for user data; shown is Linux."""
    snapshot_dir: Path | None = None
    """Where the service keeps the last two states of its index of more than 2,000 tools, so that the next start maps one
    instead of reading every tool. Unset: `snapshots` in `OUTFITTER_DATA_DIR`; `off` keeps none. Where the folder cannot
    be written, nothing is kept."""
    engine_linger_s: Annotated[float, Field(ge=0)] = 0.0
    """Seconds that the embedded engine stays up after its last user left."""

    host: str = "127.0.0.1"
    """Address that `outfitter serve` listens on."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    """Port that it listens on; 0 takes a free one."""
    api_token: SecretStr | None = None
    """Bearer token that callers send, of 20 characters or more; required on any address but loopback."""
    local_token: bool = False
    """On loopback, where nothing else says who may ask, take a token that only you can read: the first start makes it in
    `OUTFITTER_DATA_DIR` (`local_token`, mode 0600), `outfitter token local` prints it. Off: everybody on the machine may ask."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names, besides those of loopback, that requests may name and whose pages may ask; a JSON list."""
    ui: bool = True
    """Serve the pages at `/ui`, where `/` leads then."""
    ui_key: SecretStr | None = None
    """Signs the cookies of whoever signs in to the pages, 20 characters or more; another one signs everybody out. The
    API token unless set."""
    public_url: str | None = None
    """Address that browsers know the service by, where a proxy stands in front: scheme, host and prefix, such as
    `https://tools.example.com/outfitter`. The proxy takes the prefix off; the host is accepted as are those of
    `OUTFITTER_ALLOWED_HOSTS`."""
    callers: Path | None = None
    """File of callers (`callers.yaml`), each with the SHA-256 of a token, groups and scopes; read again within 2 s when it
    changes. Once it is set, everybody needs a token, on loopback too."""
    caller_requests_s: Annotated[float, Field(gt=0)] = 50.0
    """Requests a second that each caller but the operator may send to one process; more are answered by 429 with `Retry-After`."""
    caller_burst: Annotated[int, Field(ge=1)] = 100
    """Requests that a caller may send at once after a pause."""
    caller_calls_s: Annotated[float, Field(gt=0)] = 10.0
    """Calls of tools a second that each caller may have passed on."""
    caller_at_once: Annotated[int, Field(ge=1)] = 8
    """Requests of a caller that are answered at the same time; streams that listen do not count."""
    policies: Path | None = None
    """File of policies: which callers may find, plan with and call which tools; read again within 2 s when it changes. Unset:
    every caller sees everything. Takes `OUTFITTER_CALLERS` or `OUTFITTER_OIDC_ISSUER`."""
    views_mb: Annotated[int, Field(ge=1)] = 64
    """Megabytes of memory for what callers with different rules see, beside the catalogue; of more, those that nobody asked
    for longest are made again when they are asked: about .6 MB each for 20,000 tools of which .3 are seen, and 20 ms."""
    stdio_caller: str | None = None
    """Name of the caller in that file who asks `outfitter mcp`; unset: the operator, who sees everything."""
    resource: str | None = None
    """Address by which clients know `/mcp`, such as `https://tools.example.com/mcp`: what tokens of the issuer are for.
    Its host is accepted as are those of `OUTFITTER_ALLOWED_HOSTS`."""
    oidc_issuer: str | None = None
    """OpenID issuer whose access tokens are accepted, as their `iss` has it, such as `https://login.example.com/realms/staff`.
    Once it is set, everybody needs a token, on loopback too. Takes `OUTFITTER_RESOURCE`."""
    oidc_audiences: tuple[str, ...] = ()
    """What tokens name this service by (`aud`), one of these; a JSON list. Unset: `OUTFITTER_RESOURCE`."""
    oidc_groups_claim: str = "groups"
    """Claim of tokens with the groups of whoever asks; policies say what its values mean."""
    neo4j_browser_url: str | None = None
    """Address of Neo4j Browser, which the page of the graph leads to with a query that shows the same. Of a Neo4j on
    loopback the usual one unless set."""
    trusted_proxies: tuple[Network, ...] = ()
    """Addresses and networks of proxies, such as `["10.0.0.0/8"]`; a JSON list. Their connections are not counted, and
    their `X-Forwarded-For` and `X-Forwarded-Proto` are believed."""
    max_connections_per_address: Annotated[int, Field(ge=1)] = 64
    """Connections of one address (of IPv6: one /64) that wait for a request or send one; four times as many may get
    answers or listen."""
    max_body_bytes: Annotated[int, Field(ge=1024)] = 1_000_000
    """Largest request body."""
    max_query_chars: Annotated[int, Field(ge=1)] = 4_000
    """Longest query, and longest goal."""
    query_timeout_s: Annotated[float, Field(gt=0)] = 5.0
    """Seconds that the graph may take before a query is answered from memory alone."""
    refresh_s: Annotated[float, Field(gt=0)] = 0.25
    """Seconds between two checks of the graph's generation when no query asks for it."""

    lexicon: Path | None = None
    """TOML file with words of yours that requests, goals and names are read by, added to those of the service or taken
    away from them (docs/lexicon.md)."""

    common_taxonomy: bool = True
    """Link tools to the methods of the common taxonomy, which comes with Outfitter: what people want done with software,
    in their words and in seven languages (docs/meaning.md)."""
    common_without: tuple[str, ...] = ()
    """Domains of it that are left out, such as `smart_homes`, and sources whose tools are, such as `manifest:shop`; a JSON
    list."""

    encoder: Annotated[str, Field(pattern="^(onnx|static|openai|sentence-transformers|none)$")] = "onnx"
    """What turns requests and tools into vectors, so that `auto` finds tools by meaning beside words: `onnx`, on this
    machine; `static`, likewise, a table of tokens instead of a network: twenty times faster, and it knows less; `openai`:
    any OpenAI-compatible endpoint, which texts of tools and requests are then sent to;
    `sentence-transformers`: any model of that package, an extra; `none`: words and graph alone (docs/meaning.md)."""
    encoder_model: str | None = None
    """For `onnx` a folder with `model.onnx` and `tokenizer.json` (WordPiece, lower-case) of another sentence encoder, for
    `static` one with `codes.npy` and `scales.npy`; unset: what comes with Outfitter. For `openai` the model's name at the
    endpoint, for `sentence-transformers` a name or a folder."""
    encoder_url: str | None = None
    """Base URL of the endpoint of `openai`, such as `http://127.0.0.1:11434/v1`; `/embeddings` is added."""
    encoder_key_variable: str | None = None
    """Name of the environment variable that has the key for that endpoint; the key itself is never a setting."""
    encoder_timeout_s: Annotated[float, Field(gt=0, le=60)] = 1.0
    """Seconds that a request waits for its vector from that endpoint; then words and graph rank it alone, and the answer says
    so. Tools are encoded beside the requests, and may take longer."""
    encoder_max_tokens: Annotated[int, Field(ge=1_000)] = 20_000_000
    """Tokens that a process may send there in a day, as the endpoint reports them, else a fourth of the characters: a
    tool takes some 150."""
    vector_weights: tuple[float, float, float, float] | None = None
    """What a tool's name, description, parameters and requests count in its vector, such as `[0.2, 0.2, 0.2, 0.4]`: each field
    is encoded by itself, and the average kept. Unset: one text has them all (docs/meaning.md)."""

    reranker: Annotated[str, Field(pattern="^(none|cross-encoder|llm)$")] = "none"
    """What puts the first tools of `auto` into another order: `none`; `cross-encoder`, a model of sentence-transformers, an
    extra; `llm`, the language model of `OUTFITTER_LLM_URL`, which the request, names and descriptions of these tools are sent
    to. Where it fails, the order stays, and the answer says so (docs/meaning.md)."""
    reranker_model: str | None = None
    """A cross-encoder's name or folder; of `llm` the model's name, `OUTFITTER_LLM_MODEL` unless set."""
    reranker_first: Annotated[int, Field(ge=2, le=100)] = 20
    """The tools that it orders; those behind stay where they are."""
    reranker_timeout_s: Annotated[float, Field(gt=0, le=60)] = 3.0
    """Seconds that an answer waits for it, all its queries together."""
    reranker_max_tokens: Annotated[int, Field(ge=500, le=1_000_000)] = 8_000
    """Tokens for an order: question and answer; the last tools stay out where there is no room for them."""

    max_file_bytes: Annotated[int, Field(ge=1)] = 64_000_000
    """Largest document (64 MB), and most that an MCP server may send for its tools; as YAML up to 16 MB and 1,000,000
    values, whatever this says."""
    max_description_bytes: Annotated[int, Field(ge=1)] = 100_000
    """Longest description of an item; an item with a longer one is rejected by name."""
    max_schema_bytes: Annotated[int, Field(ge=1)] = 1_000_000
    """Largest schema of a tool; a tool with a larger one is rejected by name."""
    mcp_connect_s: Annotated[float, Field(gt=0)] = 10.0
    """Seconds that an MCP server has to connect and say which protocol it speaks."""
    mcp_server_s: Annotated[float, Field(gt=0)] = 30.0
    """Seconds that an MCP server has to send all its tools, connecting included."""
    mcp_max_pages: Annotated[int, Field(ge=1)] = 100
    """Pages of tools that are read from an MCP server at most."""
    mcp_max_tools: Annotated[int, Field(ge=1)] = 10_000
    """Tools that are read from an MCP server at most."""
    mcp_at_once: Annotated[int, Field(ge=1)] = 32
    """MCP servers that are asked at the same time."""
    lease_wait_s: Annotated[float, Field(ge=0)] = 60.0
    """Seconds that an ingest, or a change of a workflow, waits for another writer to finish."""

    sources: Path | None = None
    """Sources file: which sources there are, and which of their tools may be called."""
    trust: Annotated[str, Field(pattern="^(full|baseline|review)$")] = "full"
    """What of a source of tools is served that says no `trust` of its own: `full`: everything; `baseline`: what it said when
    it was seen first, later definitions wait; `review`: nothing, until somebody has agreed to it (docs/review.md)."""
    watch: bool = False
    """Follow the sources of that file while the service runs."""
    proxy: bool = False
    """Pass calls on to the servers that own the tools: `call_tool` of the MCP server."""
    proxy_timeout_s: Annotated[float, Field(gt=0, le=600)] = 30.0
    """Seconds that a call may take, where its source sets no `timeout`."""
    proxy_max_answer_bytes: Annotated[int, Field(ge=1024)] = 1_000_000
    """Largest answer of a call that is passed on."""
    proxy_at_once: Annotated[int, Field(ge=1, le=256)] = 16
    """Calls that are passed on at the same time; more wait for their turn, as long as a call may take."""
    audit_file: Path | None = None
    """Where calls are recorded, and with callers what becomes of their access; one file for each replica. Unset:
    `calls.jsonl` in `OUTFITTER_DATA_DIR`."""
    audit_max_bytes: Annotated[int, Field(ge=100_000)] = 10_000_000
    """Largest audit file; one that would outgrow it becomes `NAME.1`, and that one `NAME.2`."""
    audit_files: Annotated[int, Field(ge=2, le=1000)] = 10
    """Audit files that are kept, the one that grows among them."""

    audit_searches: bool = False
    """Record in that file what each search and plan gave to whom, too: ids of tools, never what was asked."""

    llm_url: str | None = None
    """Base URL of an OpenAI-compatible endpoint, such as `http://127.0.0.1:11434/v1`, whose model cuts goals into tasks
    before they are planned. Off unless `OUTFITTER_LLM_MODEL` is set too; then goals, and ids, titles, descriptions and
    input names of operations that may fit, are sent there. `outfitter enrich requests` and `outfitter doctor` ask the
    same endpoint when they are run; `--model` names theirs."""
    llm_model: str | None = None
    """Name of that model, as the endpoint has it."""
    llm_key_variable: str | None = None
    """Name of the environment variable that has the key for that endpoint; the key itself is never a setting."""
    llm_timeout_s: Annotated[float, Field(gt=0, le=600)] = 20.0
    """Seconds that the model has for a goal, or for the requests of a tool, a second try included; then the goal is planned
    without it, and the tool has none."""
    llm_max_tokens: Annotated[int, Field(ge=2_000, le=1_000_000)] = 16_000
    """Tokens for a goal: prompts and answers of both tries, as the endpoint reports them, else a fourth of the
    characters."""

    unmet: Annotated[str, Field(pattern="^(off|counts|texts)$")] = "off"
    """What is kept in the graph, for 90 days, of requests that nothing met (docs/explain.md): `off`: nothing; `counts`: how
    many in a day, by the nearest tool; `texts`: the texts too, with what looks secret struck out."""

    webhook: SecretStr | None = None
    """Address that is notified, by a POST of JSON, of definitions that wait for review and of sources that are down
    (docs/operations.md); https, or http on loopback."""
    webhook_key_variable: str | None = None
    """Name of the environment variable that has the key which these bodies are signed with (HMAC-SHA256); the key itself is
    never a setting. Unset: they are not signed."""
    otel_endpoint: Annotated[
        str | None, Field(validation_alias=AliasChoices("otel_endpoint", "OTEL_EXPORTER_OTLP_ENDPOINT"))
    ] = None
    """Address of an OpenTelemetry collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`: spans of requests
    and syncs are sent there, without their texts (docs/operations.md). Takes the extra `outfitter[otel]`; its other variables
    (`OTEL_...`) hold, too."""

    log_level: Annotated[str, Field(pattern="^(debug|info|warning|error)$")] = "info"
    """`debug`, `info`, `warning` or `error`."""
    log_format: Annotated[str, Field(pattern="^(json|console)$")] = "json"
    """`json` or `console`."""

    def for_child(self, environ: Mapping[str, str]) -> dict[str, str]:
        """`environ` for another process that uses the same graph and follows it as closely."""
        kept = {
            name: value for name, value in environ.items() if not name.startswith(("NEO4J_", "OUTFITTER_"))
        }
        kept |= {"OUTFITTER_DATA_DIR": str(self.data_dir), "OUTFITTER_REFRESH_S": str(self.refresh_s)}
        if self.snapshot_dir is not None:
            kept |= {"OUTFITTER_SNAPSHOT_DIR": str(self.snapshot_dir)}
        kept |= {"OUTFITTER_ENCODER": self.encoder}
        if self.lexicon is not None:
            kept |= {"OUTFITTER_LEXICON": str(self.lexicon)}
        if self.vector_weights is not None:
            kept |= {"OUTFITTER_VECTOR_WEIGHTS": str(list(self.vector_weights))}
        for name, text in (
            ("MODEL", self.encoder_model),
            ("URL", self.encoder_url),
            ("KEY_VARIABLE", self.encoder_key_variable),
        ):
            if text is not None:
                kept |= {f"OUTFITTER_ENCODER_{name}": text}
        if self.neo4j_uri:
            kept |= {
                "NEO4J_URI": self.neo4j_uri,
                "NEO4J_USERNAME": self.neo4j_username,
                "NEO4J_PASSWORD": self.neo4j_password.get_secret_value(),
                "NEO4J_DATABASE": self.neo4j_database,
            }
        return kept


def environment() -> Mapping[str, str]:
    """The environment, for variables that a user names."""
    return os.environ  # noqa: TID251 - here is the place
