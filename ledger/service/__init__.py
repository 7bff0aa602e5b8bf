"""The running service, without HTTP: one writer, what everybody may see, and who listens."""
