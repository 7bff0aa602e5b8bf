"""Ways to record events: import, export, hand records, live tables, corrections, simulated tables."""
