"""A lake: the read models of ledgers as Parquet files, folded in partitions by several processes or hosts."""
