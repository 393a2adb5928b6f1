"""The demonstration: one brief in, finished files out, seen from outside.

It starts the product as anyone would and is from then on only a client of its HTTP interface:
what it can do, any program can. `client` speaks HTTP, `story` keeps what was told, `screen`
shows it, `results` fetches what was delivered, `run` puts them together.
"""
