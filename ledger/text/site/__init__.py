"""The HTML pages of the service, made from facts. Nothing here knows HTTP."""
