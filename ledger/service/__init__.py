"""The running service without HTTP: visibility, recording, live streams and queries."""
