"""The read model: tables derived from the log, caught up with it or rebuilt."""
