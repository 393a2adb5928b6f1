"""What can be said and shown about a subject: one module of lines per theme, in nine languages.

A theme is data: beats (one idea each, with its picture and its line in every language), titles and
loglines. Every line is true of whatever the theme covers; a beat that is true of some only names
them in `only`. `choice` finds the themes of a brief, `arc` picks the beats of one film.
"""
