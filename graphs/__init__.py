"""The two graphs: topology only.

Main has a thread per message and routes it; Task has a thread per task and works on it. They never
call each other: they meet in the inbox, the approvals and the event log.
"""
