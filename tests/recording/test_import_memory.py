"""The memory of an import hardly grows with its file: a million events stay far below a gigabyte."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import ledger
from ledger.events import BareLine
from ledger.games import game_named
from ledger.recording.exporting import export_lines
from ledger.recording.importing import ImportAs, import_content
from ledger.recording.simulate import simulate

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells the peak of one program"),
]

TIMES = 4
"""How often the larger file repeats the tables, under other names."""

PEAK_OF_IMPORT = """
import sys
from pathlib import Path
import ledger
with ledger.create(sys.argv[1]) as store:
    ledger.import_file(store, Path(sys.argv[2]), ledger.Recording(by="soak"))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def bare(text: str = "a glass fell") -> bytes:
    """Return about 25,000 events at 40 tables, with a note after each tenth."""
    encode = msgspec.json.Encoder().encode
    lines = []
    events = simulate(game_named("kop"), ["Ann", "Ben", "Cleo", "Dan"], {}, tables=40, deals=25, seed=1, slug="t")
    for number, (stream, event) in enumerate(events):
        lines.append(encode(BareLine(stream=stream, event=event)))
        if number % 10 == 9:
            lines.append(encode({"stream": stream, "event": {"type": "noted", "text": text}}))
    return b"".join(line + b"\n" for line in lines if b"table_closed" not in line)


def repeated(lines: bytes) -> bytes:
    return b"".join(lines.replace(b'"table/t-', b'"table/t%d-' % turn) for turn in range(TIMES))


def files(folder: Path, form: str) -> tuple[Path, Path]:
    """Return a file of this form, and one with all its events several times."""
    few = bare("x" * 4_000) if form == "long notes" else bare()
    made = []
    for name, content in (("few", few), ("many", repeated(few))):
        path = folder / name
        path.write_bytes(content)
        if form in ("export", "ledger"):
            with ledger.create(folder / f"{name}.ledger") as store:
                import_content(store, content, name, ImportAs(by="soak"))
                if form == "export":
                    path.write_bytes(b"".join(line + b"\n" for line in export_lines(store)))
        made.append(folder / f"{name}.ledger" if form == "ledger" else path)
    return made[0], made[1]


def peak_kb(path: Path) -> int:
    command = [sys.executable, "-c", PEAK_OF_IMPORT, str(path.with_suffix(".new")), str(path)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("form", ["bare", "long notes", "export", "ledger"])
def test_the_peak_grows_by_less_than_half_a_kilobyte_an_event(tmp_path: Path, form: str) -> None:
    few, many = files(tmp_path, form)
    events = bare().count(b"\n") * (TIMES - 1)
    grown_bytes = (peak_kb(many) - peak_kb(few)) * 1024
    print(f"{form}: {grown_bytes / events:.0f} bytes an event")
    assert grown_bytes / events < 500
