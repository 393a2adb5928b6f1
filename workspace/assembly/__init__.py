"""Assembly: from shots, spoken lines, music and captions to a timeline.

Owns the decision what is seen and heard when. Pure: no files, no database. The shape of a timeline
is `infra.media.timeline`; the render operation executes it.
"""
