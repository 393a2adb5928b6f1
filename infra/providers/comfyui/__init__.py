"""ComfyUI: workflows on a server of one's own, over HTTP."""
