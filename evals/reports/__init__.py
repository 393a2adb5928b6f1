"""What is made from the records of trials: the report, comparisons, differences.

Records are the only input (`evals/trials.py`); `folder` reads them and `figures` counts. `page` and
`junit` and `summary` write a folder's report, `comparison` puts two folders side by side, `diff`
two records. Whatever a record says was written by agents, users or faults and is never trusted:
`wording` takes out what a terminal or a parser would obey, `markup` escapes all that is not markup.
"""
