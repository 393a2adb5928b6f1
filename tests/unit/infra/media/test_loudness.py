"""Reading what ebur128 says."""

from infra.media.loudness import parse_loudness

SUMMARY = """
[Parsed_ebur128_0 @ 0x1] Summary:

  Integrated loudness:
    I:         {integrated} LUFS
    Threshold: -26.4 LUFS

  Loudness range:
    LRA:         3.2 LU
    Threshold: -36.5 LUFS
    LRA low:   -18.0 LUFS
    LRA high:  -14.9 LUFS

  True peak:
    Peak:      {peak} dBFS
"""


def test_summary_is_read() -> None:
    loudness = parse_loudness(SUMMARY.format(integrated="-16.1", peak="-1.4"))

    assert (loudness.integrated_lufs, loudness.range_lu, loudness.true_peak_db) == (
        -16.1,
        3.2,
        -1.4,
    )


def test_silence_has_no_loudness() -> None:
    loudness = parse_loudness(SUMMARY.format(integrated="-70.0", peak="-inf"))

    assert loudness.integrated_lufs is None
    assert loudness.true_peak_db is None
