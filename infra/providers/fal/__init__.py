"""fal: models behind one queue, over HTTP."""
