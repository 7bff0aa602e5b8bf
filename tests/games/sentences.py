"""Every sentence on payments and faults in the records under `replays/`, by its rule.

`sentences.txt` has them for reading; `python -m tests.games.sentences` writes it anew.
"""

from collections.abc import Iterable
from pathlib import Path

from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from tests.hand_records import REPLAYS, fold_of, record_in

FILE = Path(__file__).with_name("sentences.txt")


def sentences_of(tables: Iterable[TableFold]) -> list[str]:
    """Return the sentences as `OMB-7.18 the Ombre wins the pool`, sorted, each once, including the closing of a match.

    A finding has the code of its row and the rule that was broken.
    """
    said = set()
    for table in tables:
        score = score_answer("t", table)
        for paid in (*score.deals, *([score.closing] if score.closing else [])):
            said |= {f"{line.rule} {line.text}" for line in paid.lines}
        said |= {f"{finding.code} {finding.rule} {finding.message}" for finding in audit_answer("t", table).findings}
    return sorted(said)


if __name__ == "__main__":
    folds = [fold_of(record_in(path)) for path in REPLAYS.rglob("*.toml")]
    FILE.write_text("\n".join(sentences_of(folds)) + "\n", encoding="utf-8")
