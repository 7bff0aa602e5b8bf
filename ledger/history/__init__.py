"""The read model in DuckDB: every deal ever recorded, as tables to ask anything of. It follows from the log."""

from ledger.history.answer import Answer
from ledger.history.answer_files import parquet_bytes
from ledger.history.asking import History, StatisticAnswer, TableDescription, open_history
from ledger.history.catching_up import CaughtUp, catch_up, default_history_path
from ledger.history.league_rules import LeagueRules, read_league_rules
from ledger.history.parallel import usable_cores
from ledger.history.statistics import FILTERS, Statistic, plot_questions, report_questions, statistic_named, statistics

__all__ = [
    "FILTERS",
    "Answer",
    "CaughtUp",
    "History",
    "LeagueRules",
    "Statistic",
    "StatisticAnswer",
    "TableDescription",
    "catch_up",
    "default_history_path",
    "open_history",
    "parquet_bytes",
    "plot_questions",
    "read_league_rules",
    "report_questions",
    "statistic_named",
    "statistics",
    "usable_cores",
]
