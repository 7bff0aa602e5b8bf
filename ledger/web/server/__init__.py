"""The server process: sockets, TLS, connection limits, metrics, and a graceful shutdown."""
