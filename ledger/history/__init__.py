"""The read model in DuckDB: every deal ever recorded, as tables to ask anything of. It follows from the log."""

from ledger.history.connection import KeptHistory, kept_history, place_of_history, place_of_served_history
from ledger.history.model.catch_up import catch_up
from ledger.history.model.comparison import (
    HistoryComparison,
    HistoryDifference,
    OtherDefinition,
    OtherRows,
    VerifyHistoryAnswer,
    compare,
)
from ledger.history.model.parallel import usable_cores
from ledger.history.model.parquet_export import ParquetExport, export_parquet
from ledger.history.questions.answers import Answer, parquet_bytes
from ledger.history.questions.asking import History, StatisticAnswer, TableDescription, open_history
from ledger.history.questions.filters import FILTERS, Filters
from ledger.history.questions.league import LeagueRules, read_league_rules
from ledger.history.questions.saved import is_begun, questions
from ledger.history.questions.statistics import (
    Statistic,
    check_parameters,
    list_questions,
    plot_questions,
    report_questions,
    statistic_named,
    statistics,
)
from ledger.history.sandbox.inside import plain
from ledger.history.sandbox.outside import Bounds
from ledger.log.paths import default_history_path

__all__ = [
    "FILTERS",
    "Answer",
    "Bounds",
    "Filters",
    "History",
    "HistoryComparison",
    "HistoryDifference",
    "KeptHistory",
    "LeagueRules",
    "OtherDefinition",
    "OtherRows",
    "ParquetExport",
    "Statistic",
    "StatisticAnswer",
    "TableDescription",
    "VerifyHistoryAnswer",
    "catch_up",
    "check_parameters",
    "compare",
    "default_history_path",
    "export_parquet",
    "is_begun",
    "kept_history",
    "list_questions",
    "open_history",
    "parquet_bytes",
    "place_of_history",
    "place_of_served_history",
    "plain",
    "plot_questions",
    "questions",
    "read_league_rules",
    "report_questions",
    "statistic_named",
    "statistics",
    "usable_cores",
]
