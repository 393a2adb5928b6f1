"""Replicate: models run as predictions, over HTTP."""
