"""The nodes of both graphs: one module per node, each thin.

A node reads its tables first, asks execution, workspace, memory or tools, and says where to go.
Every node may run twice: after a crash the tables, not the checkpoint, decide what has happened
already.
"""
