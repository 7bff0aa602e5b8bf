"""Witnesses of a federation, which cosign the checkpoints of clubs without their ledgers; evidence, and daily lists."""
