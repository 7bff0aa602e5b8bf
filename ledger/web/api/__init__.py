"""The routes below `/api/v1`, one module for each resource."""
