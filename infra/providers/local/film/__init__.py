"""Film: a timeline carried out with FFmpeg.

Owns the picture (one format, crossfades, burned captions), the mix (placed narration, music that
makes room) and the labels of the master (chapters, language). The timeline itself is
`infra.media.timeline`.
"""
