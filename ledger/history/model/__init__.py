"""The read model: tables that follow from the log, caught up with it or made anew."""
