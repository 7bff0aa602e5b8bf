"""What somebody says happened becomes events: import, export, hand records, simulated tables."""
