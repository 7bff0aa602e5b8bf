"""What is asked of the read model: statistics, leagues, ratings, and SQL of anybody."""
