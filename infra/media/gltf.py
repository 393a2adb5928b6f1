"""Reads a binary glTF 2.0 file (GLB) as something that nobody vouches for.

Owns the reading of containers, independently of whatever wrote them. Every length, offset, count
and index is checked against what is really there before it is used, so a file can neither make us
read outside of it nor allocate more than it holds. Whatever lies outside the file (a URI), and
whatever cannot be checked here (a needed extension, sparse values), is refused with a sentence.
"""

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

LARGEST_FILE = 256 << 20
_LARGEST_JSON = 16 << 20
_MOST = 50_000
"""Of nodes, meshes, primitives, accessors, views and materials each."""
_MOST_SHOWN = 20_000_000
"""Of points and triangles together; what stands in several places counts in each."""
_MAGIC, _VERSION = 0x46546C67, 2
_JSON, _BIN = 0x4E4F534A, 0x004E4942
_HEADER, _CHUNK_HEAD = 12, 8
_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_UNSIGNED = (5121, 5123, 5125)
_FLOAT = 5126
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_LOOKS = ("KHR_materials_", "KHR_texture_transform", "KHR_lights_punctual", "EXT_texture_webp")
"""Extensions that change how a surface looks, not where it is."""
_WITHIN = 1e-3
_FARTHEST = 1e9

type Json = dict[str, Any]


class GltfError(Exception):
    """The file is not a GLB that can be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A material's factors; colours are linear light."""

    base: tuple[float, float, float] = (1.0, 1.0, 1.0)
    metal: float = 1.0
    rough: float = 1.0
    glow: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Triangles of one material, where they are in the scene."""

    points: NDArray[np.float64]
    normals: NDArray[np.float64] | None
    triangles: NDArray[np.int64]
    look: Look


@dataclass(frozen=True, slots=True, kw_only=True)
class Gltf:
    """What the default scene of a file holds."""

    name: str
    pieces: tuple[Piece, ...]
    materials: int

    @property
    def triangles(self) -> int:
        """How many triangles there are."""
        return sum(len(piece.triangles) for piece in self.pieces)

    @property
    def vertices(self) -> int:
        """How many vertices there are."""
        return sum(len(piece.points) for piece in self.pieces)

    @property
    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The lowest and the highest corner of everything, in metres."""
        low = np.min([piece.points.min(axis=0) for piece in self.pieces], axis=0)
        high = np.max([piece.points.max(axis=0) for piece in self.pieces], axis=0)
        return low, high


def read_glb(path: Path) -> Gltf:
    """Read and check a whole file.

    Raises:
        GltfError: it breaks the format, reaches outside of itself, or shows nothing.
    """
    try:
        document, data = _chunks(path)
        return _Reader(document, data).read()
    except (KeyError, TypeError, IndexError, AttributeError, OverflowError) as error:
        _refuse(f"Its description has not the shape that glTF asks for ({error!r}).")
    except RecursionError:
        _refuse("Its description is nested too deeply.")


def _refuse(message: str) -> NoReturn:
    raise GltfError(message)


def _chunks(path: Path) -> tuple[Json, memoryview]:
    size = path.stat().st_size
    if size > LARGEST_FILE:
        _refuse(f"It is larger than {LARGEST_FILE >> 20} MiB.")
    content = memoryview(path.read_bytes())
    if size < _HEADER + _CHUNK_HEAD:
        _refuse("It is too short to be a GLB.")
    magic, version, length = struct.unpack_from("<III", content)
    if magic != _MAGIC:
        _refuse("It does not begin as a GLB does.")
    if version != _VERSION:
        _refuse(f"It is glTF version {version}, not 2.")
    if length != len(content):
        _refuse(f"It says that it has {length} bytes, and has {len(content)}.")
    found = _walk(content)
    if not found or found[0][0] != _JSON:
        _refuse("Its first chunk is not its description.")
    if sum(kind == _JSON for kind, _ in found) > 1 or any(kind == _BIN for kind, _ in found[2:]):
        _refuse("It has a chunk twice, or in the wrong place.")
    data = found[1][1] if len(found) > 1 and found[1][0] == _BIN else memoryview(b"")
    return _description(found[0][1]), data


def _description(text: memoryview) -> Json:
    if len(text) > _LARGEST_JSON:
        _refuse(f"Its description is larger than {_LARGEST_JSON >> 20} MiB.")
    try:
        document = json.loads(bytes(text).decode("utf-8"), parse_constant=_no_constant)
    except ValueError as error:
        _refuse(f"Its description is not JSON: {error}")
    if not isinstance(document, dict):
        _refuse("Its description is not an object.")
    return cast("Json", document)


def _no_constant(name: str) -> Any:
    _refuse(f"Its description holds {name}, which is no number.")


def _walk(content: memoryview) -> list[tuple[int, memoryview]]:
    """Return the chunks in order; each must end inside the file, and the last at its end."""
    found: list[tuple[int, memoryview]] = []
    place = _HEADER
    while place < len(content):
        if len(content) - place < _CHUNK_HEAD:
            _refuse("It ends within the head of a chunk.")
        length, kind = struct.unpack_from("<II", content, place)
        start = place + _CHUNK_HEAD
        if length % 4 or length > len(content) - start:
            _refuse("A chunk is longer than the file, or not aligned.")
        found.append((kind, content[start : start + length]))
        place = start + length
        if len(found) > _MOST:
            _refuse("It has too many chunks.")
    return found


class _Reader:
    """One file: its description and its bytes."""

    def __init__(self, document: Json, data: memoryview) -> None:
        self._document = document
        self._data = data
        self._lists: dict[str, list[Json]] = {}

    def read(self) -> Gltf:
        self._check_head()
        self._check_counts()
        self._check_places()
        looks = [self._look(material) for material in self._list("materials")]
        pieces: list[Piece] = []
        total = 0
        for mesh, matrix in self._placed():
            for primitive in self._list("meshes")[mesh]["primitives"]:
                piece = self._piece(primitive, matrix, looks)
                total += len(piece.points) + len(piece.triangles)
                if total > _MOST_SHOWN:
                    _refuse(f"It shows more than {_MOST_SHOWN:,} points and triangles.")
                pieces.append(piece)
        pieces = [piece for piece in pieces if len(piece.triangles)]
        if not pieces:
            _refuse("It shows no triangle.")
        nodes = self._list("nodes")
        name = str(nodes[0].get("name", "")) if nodes else ""
        return Gltf(name=name, pieces=tuple(pieces), materials=len(looks))

    def _list(self, key: str) -> list[Json]:
        if key not in self._lists:
            found = self._document.get(key, [])
            if not isinstance(found, list) or not all(
                isinstance(item, dict) for item in cast("list[Any]", found)
            ):
                _refuse(f"Its '{key}' are not a list of objects.")
            self._lists[key] = cast("list[Json]", found)
        return self._lists[key]

    def _check_head(self) -> None:
        asset = self._document["asset"]
        if str(asset.get("version")) != "2.0" or str(asset.get("minVersion", "2.0")) != "2.0":
            _refuse(f"It is glTF {asset.get('version')}, not 2.0.")
        for extension in self._document.get("extensionsRequired", []):
            if not str(extension).startswith(_LOOKS):
                _refuse(f"It needs the extension {extension}, which cannot be checked here.")

    def _check_counts(self) -> None:
        for key in ("nodes", "meshes", "accessors", "bufferViews", "materials", "images"):
            if len(self._list(key)) > _MOST:
                _refuse(f"It has more than {_MOST:,} {key}.")
        primitives = sum(len(mesh["primitives"]) for mesh in self._list("meshes"))
        if primitives > _MOST:
            _refuse(f"It has more than {_MOST:,} primitives.")

    def _check_places(self) -> None:
        """Nothing may lie outside the file, or outside the part of it that is named."""
        buffers = self._list("buffers")
        for item in (*buffers, *self._list("images")):
            if "uri" in item:
                _refuse("It refers to something outside of itself by a URI.")
        if len(buffers) > 1:
            _refuse("It has more than one buffer, and only one can be inside the file.")
        held = _whole(buffers[0]["byteLength"], "length") if buffers else 0
        if held > len(self._data):
            _refuse(f"Its buffer should have {held} bytes, the file holds {len(self._data)}.")
        for view in self._list("bufferViews"):
            start, length = self._extent(view)
            if view["buffer"] != 0 or start + length > held:
                _refuse("A part of its buffer lies outside of it.")

    @staticmethod
    def _extent(view: Json) -> tuple[int, int]:
        start = _whole(view.get("byteOffset", 0), "offset")
        return start, _whole(view["byteLength"], "length")

    def _values(self, number: int) -> NDArray[Any]:
        """Return the values of an accessor, (count, width)."""
        accessor = self._list("accessors")[_whole(number, "reference")]
        if "sparse" in accessor or "bufferView" not in accessor:
            _refuse("It has values that are sparse or not in the file, which is not read here.")
        count = _whole(accessor["count"], "count")
        width = _WIDTHS[accessor["type"]]
        kind = np.dtype(_COMPONENTS[accessor["componentType"]])
        view = self._list("bufferViews")[_whole(accessor["bufferView"], "reference")]
        start, length = self._extent(view)
        offset = _whole(accessor.get("byteOffset", 0), "offset")
        each = width * kind.itemsize
        stride = _whole(view.get("byteStride", each), "stride")
        if not count or stride < each or (start + offset) % kind.itemsize:
            _refuse("It has values without a count, or not aligned.")
        if count > _MOST_SHOWN:
            _refuse(f"It has more than {_MOST_SHOWN:,} values of a kind.")
        if offset + (count - 1) * stride + each > length:
            _refuse("It has values that reach beyond their part of the buffer.")
        return np.ndarray(
            (count, width),
            dtype=kind,
            buffer=self._data,
            offset=start + offset,
            strides=(stride, kind.itemsize),
        )

    def _piece(self, primitive: Json, matrix: NDArray[np.float64], looks: list[Look]) -> Piece:
        """Return the triangles of a primitive; those of points and lines have none."""
        mode = primitive.get("mode", _TRIANGLES)
        points = self._places(primitive["attributes"]["POSITION"])
        triangles = _triangles(self._order(primitive, len(points)), mode)
        normals = self._normals(primitive["attributes"], len(points))
        material = primitive.get("material")
        if material is not None and _whole(material, "reference") >= len(looks):
            _refuse("It names a material that it does not have.")
        turned = None if normals is None else normals @ np.linalg.pinv(matrix[:3, :3])
        placed = points @ matrix[:3, :3].T + matrix[:3, 3]
        if not np.isfinite(placed).all() or np.abs(placed).max() > _FARTHEST:
            _refuse("It has points that lie nowhere.")
        if np.linalg.det(matrix[:3, :3]) < 0:
            triangles = triangles[:, ::-1]
        return Piece(
            points=placed,
            normals=turned,
            triangles=triangles,
            look=Look() if material is None else looks[_whole(material, "reference")],
        )

    def _places(self, number: int) -> NDArray[np.float64]:
        accessor = self._list("accessors")[_whole(number, "reference")]
        if accessor["type"] != "VEC3" or accessor["componentType"] != _FLOAT:
            _refuse("Its positions are not three numbers each.")
        values = self._values(number).astype(np.float64)
        if not np.isfinite(values).all():
            _refuse("It has positions that are no numbers.")
        for key, found in (("min", values.min(axis=0)), ("max", values.max(axis=0))):
            said = np.array(accessor[key], dtype=np.float64)
            slack = _WITHIN * max(float(np.abs(found).max()), 1e-6)
            if said.shape != found.shape or not (np.abs(said - found) <= slack).all():
                _refuse("Its positions do not lie where it says that they do.")
        return values

    def _order(self, primitive: Json, count: int) -> NDArray[np.int64]:
        if "indices" not in primitive:
            return np.arange(count)
        accessor = self._list("accessors")[_whole(primitive["indices"], "reference")]
        if accessor["type"] != "SCALAR" or accessor["componentType"] not in _UNSIGNED:
            _refuse("Its indices are not whole numbers.")
        order = self._values(primitive["indices"]).reshape(-1).astype(np.int64)
        if int(order.max()) >= count:
            _refuse("It has an index beyond its points.")
        return order

    def _normals(self, attributes: Json, count: int) -> NDArray[np.float64] | None:
        if "NORMAL" not in attributes:
            return None
        values = self._values(attributes["NORMAL"])
        if values.shape != (count, 3) or values.dtype.kind != "f":
            _refuse("Its normals do not fit its points.")
        if not np.isfinite(values).all():
            _refuse("It has normals that are no numbers.")
        return values.astype(np.float64)

    @staticmethod
    def _look(material: Json) -> Look:
        factors = material.get("pbrMetallicRoughness", {})
        base = [float(part) for part in factors.get("baseColorFactor", (1, 1, 1, 1))]
        glow = [float(part) for part in material.get("emissiveFactor", (0, 0, 0))]
        metal, rough = (float(factors.get(f"{key}Factor", 1)) for key in ("metallic", "roughness"))
        shares = [*base, *glow, metal, rough]
        if len(base) != 4 or len(glow) != 3 or not all(0 <= one <= 1 for one in shares):  # noqa: PLR2004
            _refuse("It has a material with a factor outside 0 to 1.")
        return Look(
            base=(base[0], base[1], base[2]),
            metal=metal,
            rough=rough,
            glow=(glow[0], glow[1], glow[2]),
        )

    def _placed(self) -> list[tuple[int, NDArray[np.float64]]]:
        """Return every mesh of the default scene with where it stands."""
        nodes, scenes = self._list("nodes"), self._list("scenes")
        roots = scenes[_whole(self._document.get("scene", 0), "reference")].get("nodes", [])
        found: list[tuple[int, NDArray[np.float64]]] = []
        seen: set[int] = set()
        open_nodes = [(_whole(root, "reference"), np.eye(4)) for root in reversed(roots)]
        while open_nodes:
            number, above = open_nodes.pop()
            if number in seen:
                _refuse("A node of it stands in two places, or within itself.")
            seen.add(number)
            node = nodes[number]
            matrix = above @ _matrix(node)
            if "mesh" in node:
                found.append((_whole(node["mesh"], "reference"), matrix))
            children = [_whole(child, "reference") for child in node.get("children", [])]
            open_nodes += [(child, matrix) for child in reversed(children)]
        return found


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 40:
        _refuse(f"It has a {what} that is no whole number of its kind: {value!r}.")
    return value


def _triangles(order: NDArray[np.int64], mode: int) -> NDArray[np.int64]:
    if mode == _TRIANGLES:
        if len(order) % 3:
            _refuse("Its triangles do not come out even.")
        return order.reshape(-1, 3)
    at = np.arange(max(len(order) - 2, 0))
    if mode == _FAN:
        return np.stack([order[at * 0], order[at + 1], order[at + 2]], axis=1)
    if mode == _STRIP:
        return np.stack([order[at], order[at + 1 + at % 2], order[at + 2 - at % 2]], axis=1)
    return np.empty((0, 3), dtype=np.int64)


def _matrix(node: Json) -> NDArray[np.float64]:
    if "matrix" in node:
        return np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T
    x, y, z, w = (float(part) for part in node.get("rotation", (0, 0, 0, 1)))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.array(node.get("scale", (1, 1, 1)), dtype=np.float64)
    matrix[:3, 3] = np.array(node.get("translation", (0, 0, 0)), dtype=np.float64)
    return matrix
