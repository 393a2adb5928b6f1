"""A task's nodes: infer, run what is ready, check whether to go on, deliver, wait."""
