"""The running service without HTTP: how far everybody may see, who records, who listens, what is asked."""
