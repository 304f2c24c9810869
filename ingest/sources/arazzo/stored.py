"""Operations that an Arazzo document may name because the graph has them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.domain.nodes.models import Tool
from app.domain.workflows.arazzo import SERVER_URN
from ingest.sources.arazzo.operations import LocalSources, Operations, operations_of, server_name


@dataclass(frozen=True)
class KnownOperations:
    """Fits `Sources`: documents that were ingested, by their address or server; else files beside the Arazzo one."""

    servers: Mapping[str, str]
    """Address of an ingested document -> the server of its tools."""
    tools_of: Callable[[str], Sequence[Tool]]
    local: LocalSources

    def operations(self, address: str) -> Operations | None:
        """The tools of the API at an address; None when it is neither in the graph nor a file that can be read."""
        server = self.servers.get(address)
        if server is None and address.startswith(SERVER_URN):
            server = server_name(address)
        tools = [tool for tool in self.tools_of(server) if not tool.declared] if server else []
        if server and tools:
            return operations_of(server, [tool.model_dump() for tool in tools])
        return self.local.operations(address)
