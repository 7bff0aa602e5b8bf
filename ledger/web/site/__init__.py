"""The pages beside `/api/v1`: what a browser asks for, one module a group of pages."""
