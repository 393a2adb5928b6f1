"""What nine languages need for a script: pace, articles and particles, common nouns, set phrases.

Data and pure functions. Everything here takes or gives text in one language; what a film is about
is the business of `themes`.
"""
