"""Draw the small set of real media that the mock server serves, into dev/.media (not committed).

Run once from the project's folder: `.venv/bin/python web/dev/media.py`. Needs numpy, Pillow, imageio-ffmpeg.
"""

import subprocess
import wave
from pathlib import Path

import imageio_ffmpeg
import numpy as np
from PIL import Image, ImageFilter

OUT = Path(__file__).parent / ".media"
WIDTH, HEIGHT = 1280, 720
SHOTS = 12
SECONDS = 3

# sky top, sky horizon, far hills, near hills, light: from dawn to night
HOURS = [
    ((36, 48, 84), (226, 158, 140), (96, 88, 116), (30, 34, 52), (255, 214, 180)),
    ((74, 104, 148), (246, 196, 150), (128, 122, 138), (44, 50, 60), (255, 232, 190)),
    ((110, 158, 196), (244, 222, 184), (140, 156, 160), (54, 72, 66), (255, 244, 214)),
    ((118, 178, 212), (224, 236, 226), (138, 172, 164), (52, 88, 66), (255, 252, 236)),
    ((104, 172, 216), (206, 230, 238), (128, 170, 158), (48, 92, 62), (255, 255, 246)),
    ((122, 182, 206), (232, 234, 212), (146, 172, 140), (66, 98, 56), (255, 250, 226)),
    ((138, 170, 182), (244, 222, 168), (168, 160, 116), (92, 92, 48), (255, 236, 180)),
    ((140, 140, 158), (250, 190, 120), (176, 130, 92), (96, 66, 44), (255, 212, 140)),
    ((104, 88, 128), (250, 140, 96), (140, 86, 88), (66, 40, 48), (255, 180, 110)),
    ((60, 54, 104), (214, 104, 110), (92, 62, 96), (36, 28, 52), (255, 160, 140)),
    ((24, 32, 66), (88, 84, 130), (44, 48, 84), (18, 20, 40), (214, 220, 255)),
    ((10, 16, 36), (34, 52, 88), (24, 36, 60), (8, 12, 24), (236, 240, 255)),
]


def ridge(rng: np.random.Generator, base: float, height: float, rough: float) -> np.ndarray:
    """Return a hill line: a few octaves of smooth noise."""
    x = np.linspace(0, 1, WIDTH)
    line = np.full(WIDTH, base)
    for octave in range(1, 7):
        points = rng.uniform(-1, 1, 3 * 2**octave)
        smooth = np.interp(x, np.linspace(0, 1, points.size), points)
        kernel = np.hanning(max(3, WIDTH // (3 * 2**octave)))
        smooth = np.convolve(np.pad(smooth, kernel.size, mode="edge"), kernel / kernel.sum(), "same")
        line += height * rough**octave * smooth[kernel.size : kernel.size + WIDTH]
    return line * HEIGHT


def picture(number: int) -> Image.Image:
    """Draw the valley at one hour."""
    top, horizon, far, near, light = (np.array(c, float) for c in HOURS[number])
    rng = np.random.default_rng(40 + number)
    y = np.linspace(0, 1, HEIGHT)[:, None, None]
    sky = top + (horizon - top) * np.clip(y / 0.62, 0, 1) ** 1.3
    image = np.broadcast_to(sky, (HEIGHT, WIDTH, 3)).copy()
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    angle = np.pi * (number + 0.6) / SHOTS
    cx, cy = WIDTH * (0.5 - 0.36 * np.cos(angle)), HEIGHT * (0.56 - 0.4 * np.sin(angle))
    distance = np.hypot(columns - cx, rows - cy)
    glow = np.exp(-((distance / 260) ** 1.1))[..., None] * 0.75
    image += (light - image) * glow
    disc = np.clip((34 - distance) / 2, 0, 1)[..., None]
    image += (light * 1.02 - image) * disc
    if number >= 10:
        for sx, sy in rng.uniform(0, 1, (140, 2)):
            image[int(sy * HEIGHT * 0.5), int(sx * WIDTH)] += rng.uniform(60, 170)
    layers = 6
    for layer in range(layers):
        depth = layer / (layers - 1)
        line = ridge(rng, 0.46 + 0.42 * depth**1.25, 0.16 + 0.1 * (1 - depth), 0.52)
        colour = far + (near - far) * depth
        mask = np.clip((rows - line[None, :]) / 1.6, 0, 1)[..., None]
        haze = np.clip((rows - line[None, :]) / (HEIGHT * 0.34), 0, 1)[..., None]
        body = colour + (horizon * 0.5 + colour * 0.5 - colour) * haze * (1 - depth) * 1.2
        image += (body - image) * mask
    if number in (8, 9, 10, 11):
        for wx in rng.uniform(0.1, 0.9, 26):
            wy = rng.uniform(0.8, 0.93)
            spot = np.hypot(columns - wx * WIDTH, (rows - wy * HEIGHT) * 1.2)
            warm = np.exp(-((spot / 7) ** 1.4))[..., None]
            image += (np.array((255, 206, 128.0)) - image) * warm * 0.95
    image += rng.normal(0, 3.2, image.shape)
    drawn = Image.fromarray(np.clip(image, 0, 255).astype("uint8"))
    return drawn.filter(ImageFilter.GaussianBlur(0.4))


def bed(path: Path, seconds: int) -> None:
    """Write a soft chord, so that the film has sound."""
    t = np.arange(48_000 * seconds) / 48_000
    chord = sum(np.sin(2 * np.pi * f * t) / (i + 1) for i, f in enumerate((146.8, 220, 293.7, 440)))
    swell = 0.5 + 0.5 * np.sin(2 * np.pi * t / 9)
    sound = (chord * swell * np.minimum(1, np.minimum(t, t[::-1]) / 2) * 4200).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 48_000, 0, "NONE", ""))
        file.writeframes(sound.tobytes())


def main() -> None:
    """Draw everything that the story names."""
    OUT.mkdir(exist_ok=True)
    for number in range(SHOTS):
        picture(number).save(OUT / f"picture-{number + 1}.jpg", quality=88)
    bed(OUT / "music.wav", SHOTS * SECONDS)
    bed(OUT / "narration.wav", 31)
    inputs: list[str] = []
    chain = ""
    for number in range(SHOTS):
        inputs += ["-i", str(OUT / f"picture-{number + 1}.jpg")]
        frames = (SECONDS + 1) * 24
        chain += (
            f"[{number}]scale=1920:-2,zoompan=z='1+0.0008*on':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2'"
            f":d={frames}:s=1280x720:fps=24,setsar=1[v{number}];"
        )
    last = "v0"
    for number in range(1, SHOTS):
        chain += f"[{last}][v{number}]xfade=duration=1:offset={number * SECONDS}[x{number}];"
        last = f"x{number}"
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error", *inputs]
    command += ["-i", str(OUT / "music.wav"), "-filter_complex", chain.rstrip(";")]
    command += ["-map", f"[{last}]", "-map", f"{SHOTS}:a", "-t", str(SHOTS * SECONDS)]
    command += ["-c:v", "libx264", "-preset", "veryfast", "-crf", "27", "-pix_fmt", "yuv420p"]
    command += ["-c:a", "aac", "-movflags", "+faststart", str(OUT / "film.mp4")]
    subprocess.run(command, check=True)
    lines = [
        "Before the first bell, the valley is still ours.",
        "Then the light comes over the ridge, and with it the carts.",
        "Apples from the north side. Honey from the south.",
        "Somebody has brought a fiddle.",
        "One day in the year, everyone is here.",
        "The autumn market. Stay until the lanterns.",
    ]
    cues = [
        f"00:00:{6 * i + 1:02d}.000 --> 00:00:{6 * i + 5:02d}.500\n{text}\n"
        for i, text in enumerate(lines)
    ]
    (OUT / "captions.vtt").write_text("WEBVTT\n\n" + "\n".join(cues))
    srt = [f"{i + 1}\n{cue}".replace(".000", ",000").replace(".500", ",500") for i, cue in enumerate(cues)]
    (OUT / "captions.srt").write_text("\n".join(srt))
    shots = "\n".join(
        f"{i + 1}. **{name}** – {text}"
        for i, (name, text) in enumerate(
            [
                ("Before light", "blue valley, one thin line of warmth on the ridge"),
                ("First sun", "the ridge burns, mist below"),
                ("Morning", "the road empties downhill"),
                ("Carts", "pale sky, long shadows"),
                ("Noon", "high sun, everything green"),
                ("Apples", "the south slope, warm"),
                ("Honey", "late light turns gold"),
                ("Fiddle", "amber, dust in the air"),
                ("Evening", "the first lantern"),
                ("Dusk", "violet, a row of lanterns"),
                ("Blue hour", "stars, windows lit"),
                ("Night", "only lanterns remain"),
            ]
        )
    )
    script = "# Autumn market\n\n*A teaser of thirty-six seconds.*\n\n## Narration\n\n"
    script += "\n\n".join(f"> {line}" for line in lines) + f"\n\n## Shots\n\n{shots}\n"
    (OUT / "script.md").write_text(script)
    (OUT / "timeline.otio").write_text('{"OTIO_SCHEMA": "Timeline.1", "name": "Autumn market"}\n')


if __name__ == "__main__":
    main()
