"""A vendor to practise on: one HTTP server on this machine that speaks the dialects of vendors.

`switches` say how each order ends, `books` is what the vendor itself has written down (on the disk
before it answers, so it is the bill whatever becomes of the caller), `jobs` is what all dialects
have in common, and each dialect is one module. Facts about the dialects are those of the adapters
that they are for.
"""
