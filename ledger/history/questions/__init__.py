"""Queries of the read model: statistics, leagues, ratings, and SQL from users."""
