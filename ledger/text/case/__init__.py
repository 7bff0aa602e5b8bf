"""The case sheet as text and as a page."""
