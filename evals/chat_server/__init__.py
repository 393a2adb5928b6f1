"""A service of chat models to practise on: OpenAI's and Anthropic's wire formats, from a script.

`script` says what is answered to request n and how that answer ends, `openai` and `anthropic` speak
the two formats (streamed and whole), and `history` refuses, as those services do, a conversation
that is not legal. What was asked is kept, so that a test can count requests.
"""
