"""OpenAI's pictures, made in the background by a response, over HTTP."""
