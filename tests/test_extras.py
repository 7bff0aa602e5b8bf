"""Extras: a missing one names the line that installs it, for each way in which the program was installed."""

import json
import sys
import tomllib
from importlib.metadata import packages_distributions
from operator import itemgetter
from pathlib import Path

import pytest

from ledger import extras
from ledger.access.grants import Grant
from ledger.extras import EXTRAS, Installation, MissingExtraError, install_line, this_installation
from ledger.web.http.problems import problem_of, redacted_for
from tests.test_project import PROJECT, normal_name

OPTIONAL = PROJECT["project"]["optional-dependencies"]
CASES = tomllib.loads(Path(__file__).with_name("extras.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES["line"], ids=itemgetter("line"))
def test_the_line_adds_the_extra_to_this_installation_and_keeps_the_others(case):
    assert install_line(Installation(**case.get("of", {})), "plots", ["serve"]) == case["line"]


@pytest.mark.parametrize("case", CASES["origin"], ids=itemgetter("source"))
def test_the_source_is_read_from_the_record_of_the_installer(tmp_path, monkeypatch, case):
    record = case.get("record")
    records(tmp_path, monkeypatch, json.dumps(record).replace("HERE", tmp_path.as_uri()) if record else None)
    read = this_installation()
    assert (read.source, read.is_editable, read.installer) == (case["source"], case["source"] == ".", "pip")


@pytest.mark.parametrize(
    ("file", "by", "installer"),
    [
        *(("pipx_metadata.json", "pip", "pipx"), ("uv-receipt.toml", "uv", "uv tool"), ("x", "uv", "uv")),
        *(("x", "", "pip"), ("archive-v0/a", "uv", "uvx")),
    ],
)
def test_the_installer_is_recognised_by_the_files_of_its_environment(tmp_path, monkeypatch, file, by, installer):
    records(tmp_path, monkeypatch, None, by)
    prefix = tmp_path / file if "/" in file else tmp_path
    prefix.mkdir(parents=True, exist_ok=True)
    (prefix / Path(file).name).touch()
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    assert this_installation() == Installation(installer, python="bin/python", is_active=False)


def records(folder: Path, monkeypatch: pytest.MonkeyPatch, origin: str | None, by: str = "pip") -> None:
    """Let the program be installed in a folder, which becomes the current one, with these records."""
    info = folder / "trickledger-1.dist-info"
    info.mkdir()
    (info / "INSTALLER").write_text(by)
    if origin is not None:
        (info / "direct_url.json").write_text(origin)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(extras, "distribution", lambda name: extras.Distribution.at(info))


def test_a_program_that_was_never_installed_is_a_clone(monkeypatch):
    def fail(name: str) -> None:
        raise extras.PackageNotFoundError(name)

    monkeypatch.setattr(extras, "distribution", fail)
    monkeypatch.chdir(Path(extras.__file__).parents[1])
    assert (this_installation().source, this_installation().is_editable) == (".", True)


def test_only_an_administrator_of_the_service_sees_paths_of_the_machine():
    error = MissingExtraError("altair", "plots")
    assert redacted_for(Grant(token="t", role="admin"), error) is error
    seen = problem_of(redacted_for(Grant(token="t", role="viewer"), error), "/plots/pool", "en")
    assert (seen.status, seen.code, seen.text) == (501, "not_installed", "altair")
    assert "install '" not in seen.detail


def test_the_extra_all_has_the_extras_of_users_and_each_module_comes_from_its_package():
    assert OPTIONAL["all"] == [f"trickledger[{','.join(EXTRAS)}]"]
    packages = packages_distributions()
    for extra, modules in EXTRAS.items():
        brought = {normal_name(packages[module][0]) for module in modules}
        assert brought == {normal_name(requirement) for requirement in OPTIONAL[extra]}
