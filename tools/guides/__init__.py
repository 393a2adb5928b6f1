"""Guides of the craft, read on demand.

Owns what the worker may read about how a good work is made here: texts in `*.md`, and one about
this installation that is made of what its providers declare. Names and one line each are part of
what every inference sees; a text only costs whoever reads it. A number in a text that code holds is
filled in from there, so no guide names a limit that is not.
"""
