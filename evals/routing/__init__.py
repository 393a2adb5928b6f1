"""Does each message find its work? Labelled situations, a runner and its figures.

`cases` holds the form of the data in `dev/` and `unseen/`; `build` sets a situation up, `runner`
sends its messages through the product, `metrics` counts and `report` prints. Rules and prompts are
written while looking at `dev/` only.
"""
