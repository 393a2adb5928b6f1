"""The rehearsal model: a chat model of rules, so that the product works without any key.

It sees what a language model sees, messages and tool schemas, and nothing else. The same messages
and tools give the same answer in every process. The page says when it is in use.
"""
