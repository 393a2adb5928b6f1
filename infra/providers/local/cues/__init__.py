"""Captions: from spoken words to cues, and from cues to files.

Owns how a text is cut into cues and lines, how long each stands and how it looks. The limits come
from `infra.media.subtitles`.
"""
