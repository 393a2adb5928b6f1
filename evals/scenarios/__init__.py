"""Scenarios: a simulated person works with the real service, and what came of it is measured."""
