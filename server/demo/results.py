"""Fetches what was delivered into a folder: the work under plain names, its report, its script."""

import asyncio
import json
import unicodedata
from pathlib import Path
from typing import Any

from infra.errors import storage_error
from server.demo.client import AtelierClient
from server.files import file_name

type Json = dict[str, Any]

_NAMES = {
    "master": "film",
    "captions": "captions",
    "timeline": "timeline",
    "script": "script",
    "delivery_report": "delivery-report",
}
_SINGLE = frozenset({"master", "captions", "timeline"})
"""Roles of which a film has one; a second would be what the first was made from."""
_PIECES = frozenset({"image", "clip", "narration", "music", "captions_ass", "captions_vtt"})
_MAX_SLUG = 60
_REPORT = "delivery-report.json"


def slug(title: str) -> str:
    """Return a title as a folder's name: letters of every script stay, no word is cut in two."""
    plain = unicodedata.normalize("NFKC", title).lower()
    kept = (sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in plain)
    name = ""
    for word in "".join(kept).split():
        longer = f"{name}-{word}" if name else word[:_MAX_SLUG]
        if len(longer) > _MAX_SLUG:
            break
        name = longer
    return name or "work"


async def fetch(client: AtelierClient, task: Json, out: Path) -> tuple[Path, list[tuple[str, str]]]:
    """Store a task's files in a fresh folder below `out`; return it and what each file is.

    Raises:
        StorageError: the folder cannot be written.
        DemoError: a file could not be fetched.
    """
    delivery: Json | None = task["delivery"]
    folder = await asyncio.to_thread(_fresh_folder, out, slug(task["title"]))
    stored: list[tuple[str, str]] = []
    for reference, name in choose(delivery["files"] if delivery else task["results"]):
        await client.download(reference["url"], folder / name)
        stored.append((name, reference["name"]))
    if delivery is not None:
        text = json.dumps(delivery, indent=2, ensure_ascii=False) + "\n"
        await asyncio.to_thread(_write, folder / _REPORT, text)
        stored.append((_REPORT, "the same report, for programs"))
    return folder, stored


def choose(files: list[Json]) -> list[tuple[Json, str]]:
    """Choose what a person wants to have: of a film the film, of pictures every one."""
    is_film = any(file["role"] == "master" for file in files)
    chosen: list[tuple[Json, str]] = []
    taken: set[str] = set()
    for file in files:
        role = file["role"]
        if is_film and role in _PIECES:
            continue
        name = file_name(_NAMES.get(role) or slug(file["name"]), file["media_type"])
        if name in taken and role in _SINGLE:
            continue
        chosen.append((file, _free(name, taken)))
    return chosen


def _free(name: str, taken: set[str]) -> str:
    stem, dot, suffix = name.rpartition(".")
    number = 2
    free = name
    while free in taken:
        free = f"{stem or suffix}-{number}{dot}{suffix if stem else ''}"
        number += 1
    taken.add(free)
    return free


def _fresh_folder(out: Path, name: str) -> Path:
    number = 1
    try:
        while True:
            folder = out / (name if number == 1 else f"{name}-{number}")
            try:
                folder.mkdir(parents=True)
            except FileExistsError:
                number += 1
            else:
                return folder
    except OSError as error:
        raise storage_error(error, out) from error


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise storage_error(error, path) from error
