"""What the model may call: each tool describes an effect and declares its risk; none performs it.

A read or a free write runs in the transaction of the decision; paid or slow work becomes an order
that code prices, authorizes and hands to the executor; a question becomes a card. May import
memory, workspace, execution and `infra`.
"""
