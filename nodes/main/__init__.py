"""Main's nodes: one message, from received to answered, asked about or delivered to a task."""
