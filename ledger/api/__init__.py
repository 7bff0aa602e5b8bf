"""The public API: the verbs of the command line as functions. `import ledger` loads it on first use.

Parameters are called like the options. What works on entries takes an open ledger (`store`); what works on its files,
or asks its read model, takes its address (`ledger`). `docs/api.md` goes through it by task. Each subject is loaded when
one of its functions is used: the command line calls these, and a small command shall not wait for a database.
"""

# ruff: noqa: A001, F403 - what is imported here is what is exported
from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # the same names for type checkers, which cannot follow `__getattr__`
    from ledger.access.base import Issued as Issued
    from ledger.access.base import TokenFacts as TokenFacts
    from ledger.api.entries import *
    from ledger.api.files import *
    from ledger.api.games import *
    from ledger.api.history import *
    from ledger.api.people import *
    from ledger.api.proofs import *
    from ledger.api.reading import *
    from ledger.api.tokens import *
    from ledger.cases.facts import CaseSheet as CaseSheet
    from ledger.cases.sheet import sheet_of
    from ledger.games import rule_named
    from ledger.games.kernel.rulebook import Rule as Rule
    from ledger.games.kernel.rulebook import Rulebook as Rulebook
    from ledger.history import Answer as Answer
    from ledger.history import Filters as Filters
    from ledger.history import History as History
    from ledger.history import HistoryComparison as HistoryComparison
    from ledger.history import ParquetExport as ParquetExport
    from ledger.history import Statistic as Statistic
    from ledger.history import StatisticAnswer as StatisticAnswer
    from ledger.history import statistics as statistics
    from ledger.log.backup import Copied as Copied
    from ledger.log.backup import Drill as Drill
    from ledger.log.backup import drill as drill
    from ledger.log.backup import restore as restore
    from ledger.log.checkpoint import Checkpoint as Checkpoint
    from ledger.log.checkpoint import next_checkpoint
    from ledger.log.proof_files import make_keys as make_keys
    from ledger.log.proof_files import read_receipt as read_receipt
    from ledger.log.proof_files import read_secret_key as read_secret_key
    from ledger.log.receipt import DealReceipt as DealReceipt
    from ledger.log.signed_note import PublicKey as PublicKey
    from ledger.log.signed_note import SecretKey as SecretKey
    from ledger.log.signed_note import Witness as Witness
    from ledger.log.stores import create_store, open_store
    from ledger.log.verify import Damage as Damage
    from ledger.log.verify import Verification as Verification
    from ledger.plots.figures import plots
    from ledger.plots.rows import Figures as Figures
    from ledger.recording.adding import Added as Added
    from ledger.recording.adding import Addition as Addition
    from ledger.recording.adding import Recording as Recording
    from ledger.recording.answering import LineReceipt as LineReceipt
    from ledger.recording.answering import LineRefused as LineRefused
    from ledger.recording.exporting import export_hand_record as export_hand_record
    from ledger.recording.exporting import export_lines
    from ledger.recording.hand.checking import HandRecordCheck as HandRecordCheck
    from ledger.recording.hand.comparison import LeftOut as LeftOut
    from ledger.recording.hand.comparison import TablesCompared as TablesCompared
    from ledger.recording.hand.layout import LaidOut as LaidOut
    from ledger.recording.hand.written import WrittenRecord as WrittenRecord
    from ledger.recording.hands import HiddenDeals as HiddenDeals
    from ledger.recording.hands import hidden_deals as hidden_deals
    from ledger.recording.hands import open_hands as open_hands
    from ledger.recording.importing import ImportOptions as ImportOptions
    from ledger.recording.importing import ImportReport as ImportReport
    from ledger.recording.sessions import SessionAddition as SessionAddition
    from ledger.reports.facts import SessionPage as SessionPage
    from ledger.table.answers import AuditAnswer as AuditAnswer
    from ledger.table.answers import ReplayAnswer as ReplayAnswer
    from ledger.table.answers import ScoreAnswer as ScoreAnswer
    from ledger.table.disputes import Dispute as Dispute
    from ledger.table.disputes import DisputeAtTable as DisputeAtTable
    from ledger.table.listing import PlayerRow as PlayerRow
    from ledger.table.listing import TableRow as TableRow
    from ledger.table.people import LinkRow as LinkRow
    from ledger.table.repository import TableAsRead as TableAsRead
    from ledger.table.two_readings import TwoReadings as TwoReadings
    from ledger.text.pages import case_page as case_page
    from ledger.text.pages import page_pdf
    from ledger.text.pictures.png import picture_png as picture_png

    case_sheet = sheet_of
    checkpoint = next_checkpoint
    create = create_store
    export = export_lines
    open = open_store
    pdf = page_pdf
    plot_list = plots
    rule = rule_named

_EXPORTS: Final[Mapping[str, str]] = {
    "ledger.access.base": "Issued TokenFacts",
    "ledger.api.entries": (
        "amend_session close_session close_table correct correct_session dispute note note_session "
        "open_session reopen_session ruling seat"
    ),
    "ledger.api.files": "check compare fmt import_file",
    "ledger.api.games": "form rulebooks rules schema simulate simulate_evenings",
    "ledger.api.history": (
        "export_parquet open_history picture plot query query_tables query_to_parquet report saved_questions stats "
        "verify_history"
    ),
    "ledger.api.people": (
        "forget_name hide_player link_players name_player player_links players show_player unlink_player"
    ),
    "ledger.api.proofs": "backup cosign read_checkpoint read_witness receipt verify verify_receipt",
    "ledger.api.reading": (
        "audit disputes open_disputes read_tables readings replay replay_all score table_picture tables"
    ),
    "ledger.api.tokens": "add_code add_token list_tokens qr_picture reset_token_clock revoke_token token_clock_ahead",
    "ledger.cases.facts": "CaseSheet",
    "ledger.cases.sheet": "case_sheet=sheet_of",
    "ledger.games": "rule=rule_named",
    "ledger.games.kernel.rulebook": "Rule Rulebook",
    "ledger.history": "Answer Filters History HistoryComparison ParquetExport Statistic StatisticAnswer statistics",
    "ledger.log.backup": "Copied Drill drill restore",
    "ledger.log.checkpoint": "Checkpoint checkpoint=next_checkpoint",
    "ledger.log.proof_files": "make_keys read_receipt read_secret_key",
    "ledger.log.receipt": "DealReceipt",
    "ledger.log.signed_note": "PublicKey SecretKey Witness",
    "ledger.log.stores": "create=create_store open=open_store",
    "ledger.log.verify": "Damage Verification",
    "ledger.plots.figures": "plot_list=plots",
    "ledger.plots.rows": "Figures",
    "ledger.recording.adding": "Added Addition Recording",
    "ledger.recording.answering": "LineReceipt LineRefused",
    "ledger.recording.exporting": "export=export_lines export_hand_record",
    "ledger.recording.hand.checking": "HandRecordCheck",
    "ledger.recording.hand.comparison": "LeftOut TablesCompared",
    "ledger.recording.hand.layout": "LaidOut",
    "ledger.recording.hand.written": "WrittenRecord",
    "ledger.recording.hands": "HiddenDeals hidden_deals open_hands",
    "ledger.recording.importing": "ImportOptions ImportReport",
    "ledger.recording.sessions": "SessionAddition",
    "ledger.reports.facts": "SessionPage",
    "ledger.table.answers": "AuditAnswer ReplayAnswer ScoreAnswer",
    "ledger.table.disputes": "Dispute DisputeAtTable",
    "ledger.table.listing": "PlayerRow TableRow",
    "ledger.table.repository": "TableAsRead",
    "ledger.table.people": "LinkRow",
    "ledger.table.two_readings": "TwoReadings",
    "ledger.text.pages": "case_page pdf=page_pdf",
    "ledger.text.pictures.png": "picture_png",
}
"""What is public: the names of each module, `name=name_there` where it has another one there."""

_PLACES: Final = {
    name: (module, there or name)
    for module, names in _EXPORTS.items()
    for name, _, there in (word.partition("=") for word in names.split())
}

if not TYPE_CHECKING:
    __all__ = sorted(_PLACES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _PLACES[name]
    value = globals()[name] = getattr(import_module(module), there)
    return value
