"""Packages of optional extras, imported when they are used, and the line that installs an extra."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Collection
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from ledger.errors import NotFoundError
from ledger.i18n import Phrase

EXTRAS: Final[dict[str, tuple[str, ...]]] = {
    "dask": ("distributed",),
    "plots": ("altair", "pylopdf_fonts_jp", "vl_convert", "weasyprint"),
    "postgres": ("psycopg",),
    "ratings": ("openskill",),
    "s3": ("s3fs",),
    "serve": (
        *("fontTools", "httptools", "prometheus_client", "pylopdf_fonts_jp", "resvg_py", "segno", "starlette"),
        *("uvicorn", "uvloop"),
    ),
}
"""The extras of the program, each with the modules that it brings."""

Installer: TypeAlias = Literal["pip", "pipx", "uv", "uv tool", "uvx"]

_NAME: Final = "trickledger"


class Installation(Struct, frozen=True):
    """How this program was installed: the installer, the source, and the Python that runs it.

    `source`: a wheel or a folder, an address of a version control system (`git+https://…`), or empty for an index.
    `python`: as typed in the current folder; `is_active`: whether `pip` alone means this environment.
    """

    installer: Installer = "pip"
    source: str = ""
    is_editable: bool = False
    python: str = "python3"
    is_active: bool = True


class MissingExtraError(NotFoundError):
    """A package of an extra that is not installed. Its message has the line that installs it, with paths."""

    def __init__(self, package: str, extra: str) -> None:
        line = install_line(this_installation(), extra, installed_extras(except_for=extra))
        super().__init__(
            "not_installed", Phrase("ledger.i18n", "extra.no_package", {"text": package, "line": line, "extra": extra})
        )
        self.package = package


def module_of_extra(extra: str, name: str) -> ModuleType:
    """Import a module of the extra.

    Raise `MissingExtraError`, or `NotFoundError` that names the system library that the module lacks.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or name, extra) from error
    except OSError as error:  # WeasyPrint without Pango
        first = str(error).strip().splitlines()[0]
        lacking = Phrase("ledger.i18n", "extra.no_library", {"text": name, "why": first})
        raise NotFoundError("not_installed", lacking) from error


def installed_extras(except_for: str = "") -> list[str]:
    """Return the extras whose modules are all installed, without one that is known to be missing."""
    return [extra for extra, modules in EXTRAS.items() if extra != except_for and all(map(find_spec, modules))]


def install_line(installation: Installation, extra: str, installed: Collection[str] = ()) -> str:
    """Return the command that adds the extra to this installation, from the same source.

    `installed`: the extras to keep. pipx and uv make the environment of a tool anew, so their line names these, too.
    uvx installs nothing for good: its line runs the program with the extra.
    """
    extras = {extra} if installation.installer in ("pip", "uv") else {extra, *installed}
    wanted = f"[{','.join(sorted(extras))}]"
    source = installation.source
    requirement = f"{_NAME}{wanted} @ {source}" if "://" in source else f"{source or _NAME}{wanted}"
    if installation.installer == "uvx":
        return shlex.join(["uvx", "--from", requirement, _NAME])
    editable = ["-e"] if installation.is_editable else []
    return shlex.join([*_installing(installation), *editable, requirement])


def _installing(installation: Installation) -> list[str]:
    """Return the words of the command before the requirement."""
    match installation.installer:
        case "pipx":
            return ["pipx", "install", "--force"]
        case "uv tool":
            return ["uv", "tool", "install", "--force"]
        case "uv":
            return ["uv", "pip", "install", *([] if installation.is_active else ["--python", installation.python])]
        case "pip" | "uvx":
            return [*([] if installation.is_active else [installation.python, "-m"]), "pip", "install"]


def this_installation() -> Installation:
    """Return how the running program was installed, by the records that installers leave (PEP 376, PEP 610)."""
    prefix, here = Path(sys.prefix), Path.cwd()
    try:
        installed = distribution(_NAME)
    except PackageNotFoundError:
        installed = None
    source, is_editable = _source(installed, here)
    return Installation(
        installer=_installer(prefix, installed),
        source=source,
        is_editable=is_editable,
        python=_typed(Path(sys.executable), here),
        is_active=os.environ.get("VIRTUAL_ENV") == sys.prefix,
    )


def _installer(prefix: Path, installed: Distribution | None) -> Installer:
    if (prefix / "pipx_metadata.json").exists():
        return "pipx"
    if (prefix / "uv-receipt.toml").exists():
        return "uv tool"
    if prefix.parent.name.startswith("archive-v"):  # in uv's cache
        return "uvx"
    named = installed and installed.read_text("INSTALLER")
    return "uv" if named and named.strip() == "uv" else "pip"


def _source(installed: Distribution | None, here: Path) -> tuple[str, bool]:
    """Return the source of the installed distribution, and whether it is editable."""
    project = Path(__file__).parent.parent
    if installed is None:  # run from a clone
        return (_typed(project, here), True) if (project / "pyproject.toml").exists() else ("", False)
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    url = origin.get("url", "")
    if version_control := origin.get("vcs_info"):
        revision = version_control.get("requested_revision")
        return f"{version_control['vcs']}+{url}" + (f"@{revision}" if revision else ""), False
    parts = urlsplit(url)
    if parts.scheme != "file":
        return url, False
    return _typed(Path(unquote(parts.path)), here), bool(origin.get("dir_info", {}).get("editable"))


def _typed(path: Path, here: Path) -> str:
    """Return the path as typed in the folder `here`: a relative one if it lies inside."""
    if not path.is_relative_to(here):
        return str(path)
    inside = str(path.relative_to(here))
    return inside if inside == "." or os.sep in inside else f".{os.sep}{inside}"
