"""Where foreign SQL runs: a process that can read the read model and nothing else."""
