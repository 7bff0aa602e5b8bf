"""Clubs have files of these names on their disks: the files beside a ledger keep their names."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta, timezone
from inspect import isfunction, signature
from pathlib import Path
from threading import get_native_id

import pytest

from ledger.log import paths
from ledger.log.paths import backup_name, default_history_path, public_key_to, receipt_name

CLUB = Path("x/club.ledger")
HISTORY = default_history_path(CLUB)

OWNERS: dict[tuple[str, ...], list[Path]] = {
    ("ledger",): [CLUB],
    ("database",): [CLUB, HISTORY],
    ("history",): [HISTORY],
}
"""The owners of sidecar files, by the parameters of the function that names them."""


def names_of(part: str) -> dict[Callable[[Path], Path | tuple[Path, ...]], str]:
    """Return the names from each function, joined by blanks; a draft belongs to one thread."""
    names = tomllib.loads(Path(__file__).with_name("paths.toml").read_text(encoding="utf-8"))[part]
    thread = str(get_native_id())
    return {getattr(paths, maker): name.replace("THREAD", thread) for maker, name in names.items()}


def test_the_sidecar_files_of_a_ledger_and_of_a_read_model() -> None:
    for file, names in ((CLUB, names_of("beside_a_ledger")), (Path("x/h.duckdb"), names_of("beside_a_read_model"))):
        made = {maker: maker(file) for maker in names}
        paths = {maker: path if isinstance(path, Iterable) else [path] for maker, path in made.items()}
        assert {maker: " ".join(one.name for one in sidecars) for maker, sidecars in paths.items()} == names
        assert {one.parent for sidecars in paths.values() for one in sidecars} == {Path("x")}


def test_a_read_model_elsewhere_is_named_by_its_ledger_and_where_that_lies(tmp_path: Path) -> None:
    names = {
        paths.cached_history_path(tmp_path, path_of(ledger), ledger, ledger_id)
        for path_of in (default_history_path, paths.serve_history_of)
        for ledger in (CLUB, Path("y/club.ledger"))
        for ledger_id in ("one", "two")
    }
    assert len(names) == 8
    assert all(name.parent == tmp_path and name.name.startswith("club-") for name in names)


def test_a_year_is_no_suffix() -> None:
    assert paths.secret_key_of(Path("club.2026")) == Path("club.2026.key")
    assert public_key_to(Path("club.2026.key")) == paths.public_key_of(Path("club.2026"))


def test_a_receipt_is_named_for_its_deal() -> None:
    assert receipt_name("ombre-revoke", 1) == "ombre-revoke-1.receipt"


def test_a_backup_without_a_name_is_named_by_its_moment() -> None:
    moment = datetime(2026, 1, 5, 19, 30, tzinfo=timezone(timedelta(hours=1)))
    assert backup_name(Path("x/club.ledger"), moment) == "club-2026-01-05-183000.ledger"
    assert backup_name(Path("club"), moment.astimezone(UTC)) == "club-2026-01-05-183000.ledger"


def test_the_list_of_sidecars_has_every_named_file() -> None:
    """A new file beside a ledger must be on the list, or output files may destroy it."""
    named = [
        path
        for maker in vars(paths).values()
        if isfunction(maker) and maker.__module__ == paths.__name__ and not maker.__name__.startswith("_")
        for owner in OWNERS.get(tuple(signature(maker).parameters), ())
        for made in [maker(owner)]
        for path in (made if isinstance(made, tuple) else [made])
    ]
    assert len(named) > 15
    serving = paths.serve_history_of(CLUB)
    copy = paths.copy_of_history(serving)
    sidecars = [maker(serving) for maker in names_of("beside_a_read_model") if maker is not paths.left_by_duckdb]
    named += [*sidecars, paths.left_by_duckdb(copy)[0], *paths.left_by_duckdb(serving)]
    assert [path for path in named if not paths.is_sidecar(path, CLUB)] == []


def test_a_rescue_file_is_named_by_its_moment_and_belongs_to_the_ledger() -> None:
    made = paths.rescue_of(CLUB, datetime(2026, 1, 5, 19, 30, tzinfo=timezone(timedelta(hours=1))))
    assert made == Path("x/club.ledger.rescue-2026-01-05-183000")
    assert paths.is_sidecar(made, CLUB)
    assert paths.is_sidecar(paths.draft_of(made), CLUB)


@pytest.mark.parametrize("name", ["club.ledger", "club.ndjson", "club.ledger.ndjson", "clubs.key", ".club.ledger.new"])
def test_other_files_are_no_sidecars(name: str) -> None:
    assert not paths.is_sidecar(Path("x", name), CLUB)
    assert not paths.is_sidecar(Path("y", "club.key"), CLUB)
