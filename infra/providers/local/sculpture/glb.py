"""Writes parts as one binary glTF 2.0 file (GLB), after the Khronos specification.

One node for each part below a root that bears the object's name; positions, normals and indices in
one buffer; materials of metal and roughness, once each. The same parts give the same bytes.
"""

import json
import struct
from typing import Any

from numpy.typing import NDArray

from infra.providers.local.pictures.colour import to_linear
from infra.providers.local.sculpture.sculptor import Part
from infra.providers.local.sculpture.stuff import Material

_MAGIC = 0x46546C67
_JSON, _BIN = 0x4E4F534A, 0x004E4942
_FLOAT, _USHORT, _UINT = 5126, 5123, 5125
_VERTICES, _INDICES = 34962, 34963
_SHORT_INDICES = 65_535
"""The highest number is reserved, so the last vertex of a short index is one below."""


class _Buffer:
    """The binary chunk in the making, with its views and accessors."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, int]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, values: NDArray[Any], *, target: int, **accessor: Any) -> int:
        """Append an array; return its accessor's number."""
        content = values.tobytes()
        self.views.append(
            {
                "buffer": 0,
                "byteOffset": len(self.data),
                "byteLength": len(content),
                "target": target,
            }
        )
        self.data += content
        self.data += b"\0" * (-len(self.data) % 4)
        self.accessors.append({"bufferView": len(self.views) - 1, "count": len(values), **accessor})
        return len(self.accessors) - 1


def to_glb(parts: list[Part], *, name: str, extras: dict[str, Any]) -> bytes:
    """Return the parts as the bytes of a GLB file."""
    buffer = _Buffer()
    materials = list({id_of(part.material): part.material for part in parts}.values())
    numbers = {id_of(material): number for number, material in enumerate(materials)}
    meshes = [_mesh(buffer, part, numbers[id_of(part.material)]) for part in parts]
    nodes: list[dict[str, Any]] = [
        {"name": name, "children": [number + 1 for number in range(len(parts))]}
    ]
    nodes += [{"name": part.name, "mesh": number} for number, part in enumerate(parts)]
    document = {
        "asset": {"version": "2.0", "generator": "Atelier", "extras": extras},
        "scene": 0,
        "scenes": [{"name": name, "nodes": [0]}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": [_material(material) for material in materials],
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data)}],
    }
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _container(text.encode(), bytes(buffer.data))


def id_of(material: Material) -> tuple[Any, ...]:
    """Return what makes two materials the same."""
    return (material.colour, material.rough, material.metal, material.glow)


def _container(text: bytes, data: bytes) -> bytes:
    text += b" " * (-len(text) % 4)
    length = 12 + 8 + len(text) + 8 + len(data)
    return b"".join(
        [
            struct.pack("<III", _MAGIC, 2, length),
            struct.pack("<II", len(text), _JSON),
            text,
            struct.pack("<II", len(data), _BIN),
            data,
        ]
    )


def _mesh(buffer: _Buffer, part: Part, material: int) -> dict[str, Any]:
    surface = part.surface
    short = len(surface.points) <= _SHORT_INDICES
    indices = surface.indices.reshape(-1).astype("<u2" if short else "<u4")
    position = buffer.add(
        surface.points.astype("<f4"),
        target=_VERTICES,
        componentType=_FLOAT,
        type="VEC3",
        min=[float(value) for value in surface.points.min(axis=0)],
        max=[float(value) for value in surface.points.max(axis=0)],
    )
    normal = buffer.add(
        surface.normals.astype("<f4"), target=_VERTICES, componentType=_FLOAT, type="VEC3"
    )
    index = buffer.add(
        indices, target=_INDICES, componentType=_USHORT if short else _UINT, type="SCALAR"
    )
    return {
        "name": part.name,
        "primitives": [
            {
                "attributes": {"POSITION": position, "NORMAL": normal},
                "indices": index,
                "material": material,
                "mode": 4,
            }
        ],
    }


def _material(material: Material) -> dict[str, Any]:
    base = [round(to_linear(part), 5) for part in material.colour]
    described: dict[str, Any] = {
        "name": material.name,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*base, 1.0],
            "metallicFactor": material.metal,
            "roughnessFactor": material.rough,
        },
    }
    if material.glow:
        # More than full light is an extension; one is what every viewer shows.
        described["emissiveFactor"] = [round(min(part * material.glow, 1.0), 5) for part in base]
    return described
