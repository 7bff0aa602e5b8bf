"""HTTP: one module a group of routes, and nothing that says anything in words of its own beyond problems."""
