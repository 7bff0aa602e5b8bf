"""Requests and responses: routing, authentication, entity tags, problems, and OpenAPI."""
