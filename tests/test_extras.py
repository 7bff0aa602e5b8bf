"""Extras: a missing one names the line that installs it, for each way in which the program was installed."""

import json
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from ledger import extras
from ledger.access.grants import Grant
from ledger.extras import EXTRAS, Installation, MissingExtraError, install_line, this_installation
from ledger.web.http.problems import problem_of, redacted_for
from tests.test_project import PROJECT, normal_name

OPTIONAL = PROJECT["project"]["optional-dependencies"]


@pytest.mark.parametrize(("installation", "line"), [
    (Installation(), "pip install 'trickledger[plots]'"),
    (Installation(python=".venv/bin/python", source=".", is_editable=True, is_active=False),
     ".venv/bin/python -m pip install -e '.[plots]'"),
    (Installation(source="/home/ada/my files/trickledger-0.2.0-py3-none-any.whl"),
     "pip install '/home/ada/my files/trickledger-0.2.0-py3-none-any.whl[plots]'"),
    (Installation(source="git+https://git.example.org/club@v1"),
     "pip install 'trickledger[plots] @ git+https://git.example.org/club@v1'"),
    (Installation("uv", python="/v/bin/python", is_active=False),
     "uv pip install --python /v/bin/python 'trickledger[plots]'"),
    (Installation("pipx", is_active=False), "pipx install --force 'trickledger[plots,serve]'"),
    (Installation("pipx", "/club", is_editable=True), "pipx install --force -e '/club[plots,serve]'"),
    (Installation("uvx", "./x.whl"), "uvx --from './x.whl[plots,serve]' trickledger"),
    (Installation("uv tool", "./x.whl"), "uv tool install --force './x.whl[plots,serve]'"),
])  # fmt: skip
def test_the_line_adds_the_extra_to_this_installation_and_keeps_the_others(installation, line):
    assert install_line(installation, "plots", ["serve"]) == line


ORIGINS = [
    (None, "", False),
    ({"url": "file:///w/a%20b/t.whl", "archive_info": {}}, "/w/a b/t.whl", False),
    ({"url": "HERE/dist/t.whl", "archive_info": {}}, "dist/t.whl", False),
    ({"url": "HERE/t.whl", "archive_info": {}}, "./t.whl", False),
    ({"url": "HERE", "dir_info": {"editable": True}}, ".", True),
    ({"url": "file:///club", "dir_info": {}}, "/club", False),
    ({"url": "https://a.example/t.whl", "archive_info": {}}, "https://a.example/t.whl", False),
    ({"url": "https://a.example/t", "vcs_info": {"vcs": "git", "requested_revision": "v1"}},
     "git+https://a.example/t@v1", False),
]  # fmt: skip


@pytest.mark.parametrize(("origin", "source", "is_editable"), ORIGINS)
def test_the_source_is_read_from_the_record_of_the_installer(tmp_path, monkeypatch, origin, source, is_editable):
    records(tmp_path, monkeypatch, json.dumps(origin).replace("HERE", tmp_path.as_uri()) if origin else None)
    read = this_installation()
    assert (read.source, read.is_editable, read.installer) == (source, is_editable, "pip")


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
