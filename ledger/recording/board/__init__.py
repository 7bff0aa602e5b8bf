"""What a recorder on a phone is shown while a deal goes on: what lies there, and what may come, each as facts. Pure."""
