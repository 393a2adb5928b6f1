"""What the model sees, and later what it remembers.

Assembles the messages of one inference from the tables: a stable prefix, the recent transcript and
the dynamic tail. Reads execution and workspace, writes neither.
"""
