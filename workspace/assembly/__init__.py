"""Putting a film together: a pure timeline from what was made, executed by the render operation."""
