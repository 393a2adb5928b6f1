"""Every subject is a closed body that stands on the ground, the same for the same chance."""

from pathlib import Path

import numpy as np
import pytest

from infra.media.gltf import Gltf, read_glb
from infra.media.meshes import faults_of
from infra.providers.local.pictures.colour import from_hex, to_linear
from infra.providers.local.sculpture.glb import to_glb
from infra.providers.local.sculpture.sculptor import Detail, Sculptor
from infra.providers.local.sculpture.stuff import Paint
from infra.providers.local.sculpture.subjects.registry import SUBJECTS
from infra.providers.local.sculpture.view import picture_of

pytestmark = pytest.mark.media


def built(
    subject: str, seed: int = 1, *, detail: Detail = Detail.LOW, height: float | None = None
) -> bytes:
    rng = np.random.default_rng(seed)
    sculptor = Sculptor(rng, Paint([], rng), detail)
    SUBJECTS[subject](sculptor)
    return to_glb(sculptor.finished(height), name=subject, extras={})


def read(folder: Path, content: bytes) -> Gltf:
    path = folder / "model.glb"
    path.write_bytes(content)
    return read_glb(path)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_is_closed_stands_on_the_ground_and_has_area(
    subject: str, tmp_path: Path
) -> None:
    for seed in (1, 2, 3) if subject == "abstract" else (1,):
        gltf = read(tmp_path, built(subject, seed))
        faults = faults_of(gltf)
        assert (faults.open_edges, faults.flat_triangles) == (0, 0)
        assert faults.flatness > 0.05
        low, high = gltf.bounds
        assert low[1] == pytest.approx(0, abs=1e-6 * float(high[1]))
        for piece in gltf.pieces:
            assert piece.normals is not None
            lengths = np.sqrt((piece.normals**2).sum(axis=1))
            assert lengths == pytest.approx(np.ones(len(lengths)), abs=1e-3)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_faces_of_a_subject_look_outwards(subject: str, tmp_path: Path) -> None:
    for piece in read(tmp_path, built(subject)).pieces:
        a, b, c = (piece.points[piece.triangles[:, corner]] for corner in range(3))
        assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() > 0
        assert piece.normals is not None
        facing = np.cross(b - a, c - a)
        mean = piece.normals[piece.triangles].mean(axis=1)
        assert (np.einsum("ij,ij->i", facing, mean) > 0).mean() > 0.99


@pytest.mark.parametrize("subject", ["lighthouse", "tree", "mountain", "abstract"])
def test_the_same_chance_builds_the_same_bytes_and_another_something_else(subject: str) -> None:
    assert built(subject, 5) == built(subject, 5)
    assert built(subject, 5) != built(subject, 6)


def test_more_detail_has_more_triangles(tmp_path: Path) -> None:
    counts = [read(tmp_path, built("teapot", detail=detail)).triangles for detail in Detail]
    assert counts == sorted(counts)
    assert counts[2] > 4 * counts[0]


def test_a_height_that_was_asked_for_is_kept_in_metres(tmp_path: Path) -> None:
    low, high = read(tmp_path, built("lighthouse", height=2.5)).bounds
    assert float(high[1] - low[1]) == pytest.approx(2.5, rel=1e-5)


def test_colours_that_were_asked_for_are_on_the_body(tmp_path: Path) -> None:
    asked = from_hex("#1144cc")
    assert asked is not None
    rng = np.random.default_rng(1)
    sculptor = Sculptor(rng, Paint([asked], rng), Detail.LOW)
    SUBJECTS["vase"](sculptor)
    gltf = read(tmp_path, to_glb(sculptor.finished(None), name="vase", extras={}))
    linear = [to_linear(part) for part in asked]
    found = [piece.look.base for piece in gltf.pieces]
    assert any(base == pytest.approx(linear, abs=1e-3) for base in found)


def test_a_picture_shows_the_body_before_an_empty_studio(tmp_path: Path) -> None:
    picture = np.asarray(
        picture_of(read(tmp_path, built("vase")), width=160, height=120), dtype=np.int16
    )
    corner, middle = picture[4, 4], picture[70, 80]
    assert abs(middle - corner).max() > 40
    assert picture[:4].min() > 180
