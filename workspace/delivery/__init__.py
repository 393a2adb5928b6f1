"""Delivery: may this work be handed over, and what has to be said about it.

Owns validation (is the file well formed, is everything there), audit (does it make sense as a
finished work) and the report with its words. The model has no say here. A finding of severity
`error` refuses delivery; what is absent, and what came only when it was tried again, is named.
Measuring is apart from judging: what judges is pure. `plan` and `inspection` turn the approved
plan and the ledger's results into what is checked.
"""
