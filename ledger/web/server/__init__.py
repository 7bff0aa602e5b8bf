"""The process: sockets, TLS, connections within limits, metrics, and a graceful end."""
