"""The read model in DuckDB: every recorded deal as tables for SQL, statistics and plots, derived from the log."""

from ledger.history.connection import (
    SharedHistory,
    choose_history_path,
    choose_service_history_path,
    open_shared_history,
)
from ledger.history.engines import Dask, Engine, Processes
from ledger.history.lake.manifest import LakeManifest
from ledger.history.lake.reading import club_of_lake, open_lake, people_of_lake
from ledger.history.lake.writing import LakeOptions, rebuild_lake
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
from ledger.history.questions.filters import FILTERS, Filters
from ledger.history.questions.history import History, StatisticAnswer, TableDescription, open_history
from ledger.history.questions.league import LeagueRules, read_league_rules
from ledger.history.questions.saved import has_statement, split_statements
from ledger.history.questions.statistics import (
    Statistic,
    check_parameters,
    list_queries,
    plot_queries,
    report_queries,
    statistic_named,
    statistics,
)
from ledger.history.sandbox.runner import Bounds
from ledger.history.sandbox.worker import plain
from ledger.log.paths import default_history_path

__all__ = [
    "FILTERS",
    "Answer",
    "Bounds",
    "Dask",
    "Engine",
    "Filters",
    "History",
    "HistoryComparison",
    "HistoryDifference",
    "LakeManifest",
    "LakeOptions",
    "LeagueRules",
    "OtherDefinition",
    "OtherRows",
    "ParquetExport",
    "Processes",
    "SharedHistory",
    "Statistic",
    "StatisticAnswer",
    "TableDescription",
    "VerifyHistoryAnswer",
    "catch_up",
    "check_parameters",
    "choose_history_path",
    "choose_service_history_path",
    "club_of_lake",
    "compare",
    "default_history_path",
    "export_parquet",
    "has_statement",
    "list_queries",
    "open_history",
    "open_lake",
    "open_shared_history",
    "parquet_bytes",
    "people_of_lake",
    "plain",
    "plot_queries",
    "read_league_rules",
    "rebuild_lake",
    "report_queries",
    "split_statements",
    "statistic_named",
    "statistics",
    "usable_cores",
]
