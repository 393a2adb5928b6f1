"""A GLB is read as a stranger's: what breaks the format or reaches outside of it is refused."""

import asyncio
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from infra.media.gltf import GltfError, read_glb
from infra.media.meshes import faults_of
from infra.media.verify import UnusableMediaError, verify

JSON, BIN = 0x4E4F534A, 0x004E4942
POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype="<f4")
FACES = np.array([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3], dtype="<u2")
DATA = POINTS.tobytes() + FACES.tobytes()


def document() -> dict[str, Any]:
    """Return the description of a tetrahedron."""
    return {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "body"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": 4,
                "type": "VEC3",
                "min": [0, 0, 0],
                "max": [1, 1, 1],
            },
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24},
        ],
        "buffers": [{"byteLength": 72}],
    }


def chunk(kind: int, content: bytes) -> bytes:
    return struct.pack("<II", len(content), kind) + content


def container(*chunks: bytes, version: int = 2, more: int = 0) -> bytes:
    body = b"".join(chunks)
    return struct.pack("<4sII", b"glTF", version, 12 + len(body) + more) + body


def glb(described: dict[str, Any], data: bytes = DATA) -> bytes:
    text = json.dumps(described).encode()
    return container(chunk(JSON, text + b" " * (-len(text) % 4)), chunk(BIN, data))


def stored(folder: Path, content: bytes) -> Path:
    path = folder / "model.glb"
    path.write_bytes(content)
    return path


def test_a_sound_file_is_read_with_its_figures(tmp_path: Path) -> None:
    gltf = read_glb(stored(tmp_path, glb(document())))
    assert (gltf.triangles, gltf.vertices, gltf.materials) == (4, 4, 0)
    faults = faults_of(gltf)
    assert (faults.edges, faults.open_edges, faults.flat_triangles) == (6, 0, 0)


def test_figures_are_kept_of_what_was_verified(tmp_path: Path) -> None:
    facts = asyncio.run(verify(stored(tmp_path, glb(document())), "model/gltf-binary"))
    assert facts == {"triangles": 4, "vertices": 4, "materials": 0, "size_m": [1.0, 1.0, 1.0]}


def test_a_node_places_what_hangs_on_it(tmp_path: Path) -> None:
    changed = document()
    half = 0.5**0.5
    changed["nodes"] = [
        {"children": [1], "translation": [10, 0, 0], "scale": [2, 2, 2]},
        {"mesh": 0, "rotation": [0, 0, half, half]},
    ]
    low, high = read_glb(stored(tmp_path, glb(changed))).bounds
    assert (low.tolist(), high.tolist()) == (
        pytest.approx([8, 0, 0], abs=1e-6),
        pytest.approx([10, 2, 2], abs=1e-6),
    )


def test_a_hole_is_counted(tmp_path: Path) -> None:
    changed = document()
    changed["accessors"][1]["count"] = 9
    assert faults_of(read_glb(stored(tmp_path, glb(changed)))).open_edges == 3


BROKEN: dict[str, bytes] = {
    "another magic": b"glTG" + glb(document())[4:],
    "version 1": container(chunk(JSON, b"{}  "), version=1),
    "a length beyond the file": container(chunk(JSON, b"{}  "), more=8),
    "a length within the file": container(chunk(JSON, b"{}  "), more=-4),
    "nothing": b"glTF",
    "no description first": container(chunk(BIN, b"0000")),
    "two descriptions": container(chunk(JSON, b"{}  "), chunk(JSON, b"{}  ")),
    "a chunk over the next": container(
        struct.pack("<II", 4096, JSON), b"{}  ", chunk(BIN, b"0000")
    ),
    "a chunk that is not aligned": container(chunk(JSON, b"{} ")),
    "half a chunk head": container(chunk(JSON, b"{}  "), b"\0\0\0\0"),
    "no JSON": container(chunk(JSON, b"{]  ")),
    "a list": container(chunk(JSON, b"[]  ")),
    "deep nesting": container(chunk(JSON, b"[" * 400_000)),
    "a number that is none": container(chunk(JSON, b'{"asset":NaN}   ')),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN.keys())
def test_a_container_that_breaks_the_format_is_refused(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(GltfError):
        read_glb(stored(tmp_path, content))


def _set(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(described: dict[str, Any]) -> None:
        place: Any = described
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


HOSTILE: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a file elsewhere": (_set("buffers", 0, "uri", to="file:///etc/passwd"), "URI"),
    "a picture elsewhere": (_set("images", to=[{"uri": "http://169.254.169.254/"}]), "URI"),
    "two buffers": (_set("buffers", to=[{"byteLength": 72}] * 2), "more than one"),
    "a buffer beyond the file": (_set("buffers", 0, "byteLength", to=1 << 39), "holds"),
    "a view beyond the buffer": (_set("bufferViews", 1, "byteLength", to=1 << 30), "outside"),
    "a view before the buffer": (_set("bufferViews", 1, "byteOffset", to=-8), "offset"),
    "a huge count": (_set("accessors", 0, "count", to=1 << 38), "more than"),
    "a count beyond the view": (_set("accessors", 0, "count", to=5), "beyond"),
    "no count": (_set("accessors", 1, "count", to=0), "without a count"),
    "a count that is none": (_set("accessors", 1, "count", to=True), "count"),
    "a stride below the values": (_set("bufferViews", 0, "byteStride", to=4), "aligned"),
    "values that are not aligned": (_set("accessors", 1, "byteOffset", to=1), "aligned"),
    "an index beyond the points": (_set("accessors", 0, "count", to=3), "."),
    "bounds that are not true": (_set("accessors", 0, "max", to=[9, 9, 9]), "do not lie"),
    "no bounds": (_set("accessors", 0, "max", to=None), "do not lie"),
    "sparse values": (_set("accessors", 0, "sparse", to={}), "sparse"),
    "an extension that is needed": (
        _set("extensionsRequired", to=["KHR_draco_mesh_compression"]),
        "KHR_draco",
    ),
    "a node in itself": (_set("nodes", 0, "children", to=[0]), "within itself"),
    "an unknown mesh": (_set("nodes", 0, "mesh", to=7), "shape"),
    "no triangle": (_set("meshes", 0, "primitives", 0, "mode", to=0), "no triangle"),
    "a point at infinity": (_set("nodes", 0, "scale", to=[1e300, 1, 1e300]), "nowhere"),
    "too many nodes": (_set("nodes", to=[{}] * 60_000), "50,000"),
    "words for a list": (_set("meshes", to="many"), "list"),
    "glTF 3": (_set("asset", "version", to="3.0"), "not 2.0"),
}


@pytest.mark.parametrize(("change", "said"), HOSTILE.values(), ids=HOSTILE.keys())
def test_what_reaches_outside_or_cannot_be_checked_is_refused(
    change: Callable[[dict[str, Any]], None], said: str, tmp_path: Path
) -> None:
    changed = document()
    change(changed)
    with pytest.raises(GltfError, match=said):
        read_glb(stored(tmp_path, glb(changed)))


def test_one_mesh_in_very_many_places_is_refused_before_it_is_laid_out(tmp_path: Path) -> None:
    """A hundred kilobytes that would be gigabytes of points."""
    count, places = 20_000, 2_000
    points = np.zeros((count, 3), dtype="<f4")
    changed = document()
    changed["accessors"][0] |= {"count": count, "max": [0, 0, 0]}
    changed["bufferViews"] = [
        {"buffer": 0, "byteOffset": 0, "byteLength": points.nbytes},
        {"buffer": 0, "byteOffset": points.nbytes, "byteLength": FACES.nbytes},
    ]
    changed["buffers"] = [{"byteLength": points.nbytes + FACES.nbytes}]
    changed["nodes"] = [{"mesh": 0} for _ in range(places)]
    changed["scenes"] = [{"nodes": list(range(places))}]
    content = glb(changed, points.tobytes() + FACES.tobytes())
    with pytest.raises(GltfError, match="more than"):
        read_glb(stored(tmp_path, content))


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_points_that_are_no_numbers_are_refused(number: float, tmp_path: Path) -> None:
    points = POINTS.copy()
    points[2, 1] = number
    with pytest.raises(GltfError, match="no numbers"):
        read_glb(stored(tmp_path, glb(document(), points.tobytes() + FACES.tobytes())))


def test_what_cannot_be_used_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = stored(tmp_path, glb(document())[:-4])
    with pytest.raises(UnusableMediaError, match="cannot be read as model/gltf-binary"):
        asyncio.run(verify(path, "model/gltf-binary"))
