"""The pages outside of `/api/v1`, one module for each; its template and script have the same stem."""
