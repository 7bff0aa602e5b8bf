"""The read model in DuckDB: every deal ever recorded, as tables to ask anything of. It follows from the log."""

from ledger.history.asking import Answer, History, StatisticAnswer, TableDescription, open_history
from ledger.history.catching_up import CaughtUp, catch_up, default_history_path
from ledger.history.parallel import usable_cores
from ledger.history.statistics import FILTERS, Statistic, plot_questions, report_questions, statistic_named, statistics

__all__ = [
    "FILTERS",
    "Answer",
    "CaughtUp",
    "History",
    "Statistic",
    "StatisticAnswer",
    "TableDescription",
    "catch_up",
    "default_history_path",
    "open_history",
    "plot_questions",
    "report_questions",
    "statistic_named",
    "statistics",
    "usable_cores",
]
