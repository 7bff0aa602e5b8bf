"""The running service, without HTTP: who writes, who listens, and what may be asked while it runs."""
