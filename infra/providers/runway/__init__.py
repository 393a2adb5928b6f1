"""Runway: moving pictures as tasks, over HTTP."""
