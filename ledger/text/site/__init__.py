"""The pages of the service: what a browser shows, made of facts. Knows no HTTP."""
