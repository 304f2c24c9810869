"""A snapshot as one file: a header that says where each array stands, then the arrays.

    16 bytes   magic, with the version of this format
     8 bytes   length of the header, little-endian
    16 bytes   BLAKE2b of the header
    header     JSON: release, generation, stamp, size of the file, checksum, name, type, shape and place of each array
    arrays     each at a multiple of 64 bytes, little-endian

Types are numbers from a list, so that nothing that is read can be executed. Whatever does not agree is refused whole.
"""

import json
import mmap
import os
from collections.abc import Mapping
from hashlib import blake2b
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.ports.snapshots import KeptState

MAGIC = b"outfitter-snap 1"
_ALIGNED = 64
_MOST_HEADER = 1_000_000
_TYPES = frozenset(
    ("|u1", "|i1", "|b1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f4", "<f8"),
)
_CHUNK = 1 << 24
"""Bytes that are hashed and written at a time."""


class SnapshotFileError(Exception):
    """A file is not a whole snapshot of this release; the message says in what."""


class _Place(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    type: str
    shape: tuple[int, ...] = Field(max_length=2)
    begin: int = Field(ge=0)


class _Header(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    release: str
    generation: int
    stamp: str
    size: int
    checksum: str
    """Of everything behind the header."""
    arrays: tuple[_Place, ...] = Field(max_length=1_000)


def write_snapshot(
    file: BinaryIO, state: KeptState, arrays: Mapping[str, npt.NDArray[Any]], *, release: str
) -> None:
    """Write a snapshot.

    Args:
        file: Empty, and open for writing.
        state: Which it is of.
        arrays: By name.
        release: Names what made the arrays; another release does not read them.

    Raises:
        OSError: it cannot be written.
        ValueError: an array has a type that is not kept.
    """
    places: list[_Place] = []
    flat: list[npt.NDArray[np.uint8]] = []
    end = 0
    for name, array in arrays.items():
        whole = np.ascontiguousarray(array)
        whole = whole.astype(whole.dtype.newbyteorder("<"), copy=False)
        if whole.dtype.str not in _TYPES:
            raise ValueError(
                f"array {name!r} is of type {whole.dtype}; accepted: {', '.join(sorted(_TYPES))}"
            )
        places.append(_Place(name=name, type=whole.dtype.str, shape=whole.shape, begin=end))
        flat.append(whole.reshape(-1).view(np.uint8) if whole.size else np.empty(0, np.uint8))
        end = _aligned(end + whole.nbytes)
    checksum = blake2b(digest_size=16)
    for part in flat:
        for piece in _pieces(part):
            checksum.update(piece)
    fields: dict[str, Any] = {
        "release": release,
        "generation": state.generation,
        "stamp": state.stamp,
        "checksum": checksum.hexdigest(),
        "arrays": [place.model_dump() for place in places],
    }
    # Its own length depends on the size that it says, by a few digits: padded, it does not.
    blank = json.dumps({**fields, "size": 0}).encode()
    header = _aligned(len(MAGIC) + 8 + 16 + len(blank) + 24) - len(MAGIC) - 8 - 16
    size = len(MAGIC) + 8 + 16 + header + end
    text = json.dumps({**fields, "size": size}).encode().ljust(header)
    file.write(MAGIC + len(text).to_bytes(8, "little") + blake2b(text, digest_size=16).digest() + text)
    for part in flat:
        for piece in _pieces(part):
            file.write(piece)
        file.write(bytes(_aligned(part.nbytes) - part.nbytes))


def read_state(path: Path, *, release: str) -> KeptState:
    """Which state a file is of; its arrays are not looked at.

    Raises:
        SnapshotFileError: it is no snapshot of this release.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        header, _ = _header(file, release)
    return KeptState(header.generation, header.stamp)


def map_snapshot(path: Path, *, release: str) -> Mapping[str, npt.NDArray[Any]]:
    """The arrays of a file, mapped: their pages are shared by all processes that map it.

    Raises:
        SnapshotFileError: it is not a whole snapshot of this release.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        header, begin = _header(file, release)
        size = os.fstat(file.fileno()).st_size
        if size != header.size or size < begin:
            raise SnapshotFileError(f"{size} bytes, of {header.size}")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    found = {place.name: _array(mapped, begin, place) for place in header.arrays}
    checksum = blake2b(digest_size=16)
    for array in found.values():
        for piece in _pieces(array.reshape(-1).view(np.uint8) if array.size else np.empty(0, np.uint8)):
            checksum.update(piece)
    if checksum.hexdigest() != header.checksum:
        raise SnapshotFileError("its checksum is another one")
    return found


def _header(file: BinaryIO, release: str) -> tuple[_Header, int]:
    """The header, and where the arrays begin."""
    start = file.read(len(MAGIC) + 8 + 16)
    if len(start) < len(MAGIC) + 8 + 16 or not start.startswith(MAGIC):
        raise SnapshotFileError("it is no snapshot, or one of another format")
    length = int.from_bytes(start[len(MAGIC) : len(MAGIC) + 8], "little")
    if length > _MOST_HEADER:
        raise SnapshotFileError(f"a header of {length} bytes; accepted: up to {_MOST_HEADER}")
    text = file.read(length)
    if len(text) < length or blake2b(text, digest_size=16).digest() != start[-16:]:
        raise SnapshotFileError("its header is damaged")
    try:
        found = _Header.model_validate_json(text)
    except ValidationError as error:
        raise SnapshotFileError("its header is not of this format") from error
    if found.release != release:
        raise SnapshotFileError(f"it is of release {found.release[:80]}, this is {release}")
    return found, len(start) + length


def _array(mapped: mmap.mmap, begin: int, place: _Place) -> npt.NDArray[Any]:
    if place.type not in _TYPES or place.begin % _ALIGNED or min(place.shape, default=0) < 0:
        raise SnapshotFileError(f"array {place.name[:80]!r} is not of this format")
    dtype, count = np.dtype(place.type), prod(place.shape)
    first = begin + place.begin
    if first + count * dtype.itemsize > len(mapped):
        raise SnapshotFileError(f"array {place.name[:80]!r} ends behind the file")
    if not count:
        return np.empty(place.shape, dtype)
    return np.frombuffer(mapped, dtype, count, first).reshape(place.shape)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED


def _pieces(part: npt.NDArray[np.uint8]) -> "list[memoryview]":
    data = part.data
    return [data[at : at + _CHUNK] for at in range(0, part.nbytes, _CHUNK)]
