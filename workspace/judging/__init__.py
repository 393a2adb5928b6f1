"""Judges of finished results: rules always, a model that sees pictures where one is set.

A judge looks and proposes: adjust, make again, or ask the person, each with its reason. It never
approves and never spends what a person pays for; what comes of a proposal is decided elsewhere.
"""
