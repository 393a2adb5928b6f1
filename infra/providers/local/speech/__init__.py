"""Speech: from a text to samples and word times.

Owns the binding to espeak-ng, which languages it speaks, how a written word is said and how the raw
voice is made pleasant. A word keeps its written form, so captions show what was written although
something else may be said ("$5" is said "5 dollars"). May import `sound` for shared audio work.
espeak-ng is GPL: it is loaded only inside the generator's own process.
"""
