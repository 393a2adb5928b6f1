"""How work is run, paid for and stopped.

Owns threads, turns, steps, messages, inboxes, the ledger, money, jobs, approvals, checklists and
the event log: one owner module per table. Functions take the open transaction first (`Tx`, or its
bare connection where nothing is announced), never commit, and change state by compare-and-set. May
import `infra` only.
"""
