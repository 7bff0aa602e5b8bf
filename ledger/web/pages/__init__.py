"""The pages beside `/api/v1`, one module a page, its template and script under the same stem."""
