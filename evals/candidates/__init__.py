"""How well and how fast a message finds its task among very many: `make bench-candidates`."""
