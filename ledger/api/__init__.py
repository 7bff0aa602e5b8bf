"""The public API: the commands as functions, imported with `import ledger` on first use.

Parameters have the names of the options. Functions on entries take an open ledger (`store`); functions on its files or
its read model take its path (`ledger`). `docs/reference/api.md` presents them by task. Each module is imported when one
of its functions is used, because the command line calls them and a small command must not load a database.
"""

# ruff: noqa: A001, F403
from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # the list of public names: for type checkers and `_places`
    from ledger.access.base import Issued as Issued
    from ledger.access.base import TokenFacts as TokenFacts
    from ledger.api.entries import *
    from ledger.api.files import *
    from ledger.api.games import *
    from ledger.api.health import *
    from ledger.api.history import *
    from ledger.api.people import *
    from ledger.api.proofs import *
    from ledger.api.reading import *
    from ledger.api.tokens import *
    from ledger.api.witnesses import *
    from ledger.cases.facts import CaseSheet as CaseSheet
    from ledger.cases.sheet import sheet_of
    from ledger.games import rule_named
    from ledger.games.kernel.rulebook import Rule as Rule
    from ledger.games.kernel.rulebook import Rulebook as Rulebook
    from ledger.history import Answer as Answer
    from ledger.history import Filters as Filters
    from ledger.history import History as History
    from ledger.history import HistoryComparison as HistoryComparison
    from ledger.history import LakeManifest as LakeManifest
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
    from ledger.log.copying import FollowState as FollowState
    from ledger.log.copying import LedgerCopy as LedgerCopy
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
    from ledger.recording.examples import Examples as Examples
    from ledger.recording.examples import examples as examples
    from ledger.recording.exporting import export_hand_record as export_hand_record
    from ledger.recording.exporting import export_lines
    from ledger.recording.hand.checking import HandRecordCheck as HandRecordCheck
    from ledger.recording.hand.comparison import LeftOut as LeftOut
    from ledger.recording.hand.comparison import TableComparison as TableComparison
    from ledger.recording.hand.layout import LaidOut as LaidOut
    from ledger.recording.hand.record_writer import WrittenRecord as WrittenRecord
    from ledger.recording.hands import HiddenDeals as HiddenDeals
    from ledger.recording.hands import hidden_deals as hidden_deals
    from ledger.recording.hands import open_hands as open_hands
    from ledger.recording.importing import ImportOptions as ImportOptions
    from ledger.recording.importing import ImportReport as ImportReport
    from ledger.recording.sessions import SessionAddition as SessionAddition
    from ledger.recording.streaming_import import LineReceipt as LineReceipt
    from ledger.recording.streaming_import import LineRefused as LineRefused
    from ledger.reports.doctor import Check as Check
    from ledger.reports.doctor import Diagnosis as Diagnosis
    from ledger.reports.doctor import Versions as Versions
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
    from ledger.witness.evidence import Evidence as Evidence
    from ledger.witness.folder import WitnessFolder as WitnessFolder
    from ledger.witness.request import CheckpointRequest as CheckpointRequest
    from ledger.witness.signed_list import SignedList as SignedList

    case_sheet = sheet_of
    checkpoint = next_checkpoint
    create = create_store
    export = export_lines
    open = open_store
    pdf = page_pdf
    plot_list = plots
    rule = rule_named


_IMPORTED: Final = re.compile(r"^    from (\S+) import (.+)", re.MULTILINE)
_RENAMED: Final = re.compile(r"^    (\w+) = (\w+)$", re.MULTILINE)
_DEFINED: Final = re.compile(r"^def ([a-z]\w*)", re.MULTILINE)


@cache
def _places() -> dict[str, tuple[str, str]]:
    """Return for each public name its module and its name there, as listed above; `*` means every function."""
    here = Path(__file__)
    listed = here.read_text(encoding="utf-8")
    places: dict[str, tuple[str, str]] = {}
    for module, imported in _IMPORTED.findall(listed):
        names = [name.partition(" ")[0] for name in imported.split(", ")]
        if names == ["*"]:
            source = here.with_name(f"{module.rpartition('.')[2]}.py").read_text(encoding="utf-8")
            names = _DEFINED.findall(source)
        places |= {name: (module, name) for name in names}
    for name, there in _RENAMED.findall(listed):
        places[name] = places.pop(there)
    return places


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_places())
    if name not in _places():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _places()[name]
    value = globals()[name] = getattr(import_module(module), there)
    return value
