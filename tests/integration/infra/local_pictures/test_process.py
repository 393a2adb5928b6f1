"""One generator run as its caller sees it: a process, files and lines of progress."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]


def _run(tmp_path: Path, request: object) -> tuple[subprocess.CompletedProcess[str], Path]:
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "request.json").write_text(
        request if isinstance(request, str) else json.dumps(request), encoding="utf-8"
    )
    command = [
        sys.executable,
        "-m",
        "infra.providers.local",
        str(tmp_path / "request.json"),
        str(out),
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=100
    )
    return done, out


@pytest.mark.media
def test_a_good_run_leaves_its_result_last(tmp_path: Path) -> None:
    inputs = {"prompt": "a boat", "title": "Sail", "width": 320, "height": 256}
    request = {"operation": "image", "seed": 3, "inputs": inputs, "files": {}}
    done, out = _run(tmp_path, request)
    assert done.returncode == 0, done.stderr
    result = json.loads((out / "result.json").read_text(encoding="utf-8"))
    assert result["artifacts"] == [
        {"role": "image", "path": "image.png", "media_type": "image/png", "name_suffix": ""}
    ]
    assert result["measured"]["contrast_ratio"] >= 4.5
    assert {path.name for path in out.iterdir()} == {"image.png", "result.json"}
    progress = [float(line.split()[1]) for line in done.stdout.splitlines()]
    assert progress == sorted(progress)
    assert progress[-1] == 1.0


@pytest.mark.media
@pytest.mark.parametrize(
    ("request_of", "code"),
    [
        ("{", "invalid_input"),
        ([], "invalid_input"),
        ({"operation": "image", "seed": "1", "inputs": {}}, "invalid_input"),
        ({"operation": "../image", "seed": 1, "inputs": {}}, "invalid_input"),
        ({"operation": "image", "seed": 1, "inputs": {"prompt": "x", "width": 1}}, "invalid_input"),
        (
            {
                "operation": "image",
                "seed": 1,
                "inputs": {"prompt": "x", "title": "𒀀", "width": 320, "height": 320},
            },
            "missing_glyphs",
        ),
    ],
)
def test_a_refused_run_leaves_a_code_and_a_sentence(
    tmp_path: Path, request_of: object, code: str
) -> None:
    done, out = _run(tmp_path, request_of)
    assert done.returncode == 1
    error = json.loads((out / "error.json").read_text(encoding="utf-8"))
    assert error["code"] == code
    assert len(error["message"]) > 20
    assert {path.name for path in out.iterdir()} == {"error.json"}
    assert "Traceback" not in done.stderr
