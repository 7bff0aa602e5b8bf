"""The HTTP service: one module for each group of routes, with no text of its own except problems."""
