"""The sandbox for SQL from users: a process that can read the read model and nothing else."""
