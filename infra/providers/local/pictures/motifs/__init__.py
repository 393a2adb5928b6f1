"""The subjects a picture can show, each drawn into a scene as layered shapes.

Skies and lands fill the frame and are drawn first; subjects stand at the stage's hero place at the
stage's hero size. `registry.py` maps the lexicon's names to the functions. A motif takes its
randomness from `scene.rng("<its name>")`, its colours from the palette, its light from the stage.
"""
