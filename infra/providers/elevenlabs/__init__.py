"""ElevenLabs: speech with the time of every word, over HTTP."""
