"""A software bill of materials (CycloneDX 1.6, JSON) of what the lock installs."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from tools.lock import Locked

_MARKER = "outfitter:marker"
"""Property that says where a component is installed, as a marker of PEP 508."""


def sbom(locked: Sequence[Locked], *, version: str, licence: str, made_at: int) -> str:
    """The document; the same bytes for the same lock, version and time.

    Args:
        locked: All packages of the lock.
        version: Of Outfitter.
        licence: Of Outfitter, as an SPDX expression.
        made_at: Seconds since 1970.
    """
    root = Component(
        name="outfitter",
        version=version,
        type=ComponentType.APPLICATION,
        bom_ref="outfitter",
        purl=PackageURL("pypi", name="outfitter", version=version),
        licenses=[LicenseExpression(licence)],
    )
    parts = {one.purl: _component(one) for one in locked}
    bom = Bom(components=parts.values(), dependencies=_dependencies(locked, root, parts))
    bom.metadata.component = root
    bom.metadata.timestamp = datetime.fromtimestamp(made_at, UTC)
    digest = hashlib.sha256("\n".join((version, str(made_at), *sorted(map(repr, locked)))).encode()).digest()
    bom.serial_number = UUID(bytes=digest[:16], version=4)
    return JsonV1Dot6(bom).output_as_string(indent=2) + "\n"


def _component(one: Locked) -> Component:
    # There is no field for hashes of several files of one component but this.
    files = ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION,
        url=XsUri(one.purl),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in one.hashes],
    )
    return Component(
        name=one.name,
        version=one.version,
        type=ComponentType.LIBRARY,
        bom_ref=one.purl,
        purl=PackageURL("pypi", name=one.name, version=one.version),
        external_references=[files],
        properties=[Property(name=_MARKER, value=one.marker)] if one.marker else [],
    )


def _dependencies(locked: Sequence[Locked], root: Component, parts: dict[str, Component]) -> list[Dependency]:
    """Who asks for whom. A name may be there in several versions, for several Pythons: each is asked for."""
    direct = [Dependency(parts[one.purl].bom_ref) for one in locked if one.direct]
    return [
        Dependency(root.bom_ref, direct),
        *(
            Dependency(
                parts[user.purl].bom_ref,
                [Dependency(parts[one.purl].bom_ref) for one in locked if user.name in one.needed_by],
            )
            for user in locked
        ),
    ]
