"""The routes of `/v1`, one module per resource: parse, ask execution or workspace, answer.

No SQL and no rule of the product lives here; each change is one `execution.transactions.work`.
"""
