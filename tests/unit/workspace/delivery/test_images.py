"""Pictures are looked at one by one; what is none is told and hides nothing of the others."""

from pathlib import Path

from PIL import Image

from workspace.delivery.images import audit_images


async def test_what_is_no_picture_is_told_beside_what_is_empty(tmp_path: Path) -> None:
    broken, empty = tmp_path / "broken", tmp_path / "empty.png"
    broken.write_bytes(b"no picture")
    Image.new("RGB", (40, 30)).save(empty)
    cut = tmp_path / "cut.png"
    Image.effect_noise((40, 30), 64).save(cut)
    cut.write_bytes(cut.read_bytes()[:200])
    found = await audit_images({"Broken": broken, "Empty": empty, "Cut": cut})
    assert [(each.check, each.shot) for each in found] == [
        ("unreadable_picture", "Broken"),
        ("empty_picture", "Empty"),
        ("unreadable_picture", "Cut"),
    ]
    assert found[0].message == "'Broken' cannot be read as a picture."
