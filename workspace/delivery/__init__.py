"""Delivery: may this work be handed over, and what has to be said about it.

Owns validation (is the file well formed, is everything there), audit (does it make sense as a
finished work) and the report. The model has no say here. A finding of severity `error` refuses
delivery; everything absent, replaced or cut short is named. Measuring is apart from judging: what
judges is pure. May import `infra` and `execution`.
"""
