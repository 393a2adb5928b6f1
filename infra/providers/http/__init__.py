"""What every vendor behind HTTP shares: one request at a time, and the models that it sells.

Nothing here retries. What broke is told by when it broke: before a byte of the request was written
nothing was ordered, after it nobody knows until the provider's `find` says so.
"""
