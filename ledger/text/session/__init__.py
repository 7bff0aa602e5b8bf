"""The report on a session as a page and as a PDF."""
