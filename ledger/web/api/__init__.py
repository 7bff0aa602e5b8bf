"""The routes below `/api/v1`, one module a resource."""
