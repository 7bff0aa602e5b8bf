"""Links to sign in by: the secret stands in the fragment, which browsers send to nobody, so no log has it."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from ledger.access.words import phrase
from ledger.errors import MalformedError

_HOST: Final = re.compile(r"https?://[^\s/@?#]+(/[^\s?#]*)?", re.ASCII)


def checked_url(url: str) -> str:
    """The address of the service, without a slash at its end; raises `MalformedError` for what is none."""
    try:
        is_address = _HOST.fullmatch(url) is not None and bool(urlsplit(url).hostname) and urlsplit(url).port != 0
    except ValueError:  # a port or an IPv6 address that cannot be
        is_address = False
    if not is_address:
        raise MalformedError(phrase("form.not_url"), phrase("form.url"), url, field="url")
    return url.rstrip("/")


def sign_in_link(url: str, secret: str) -> str:
    """Raises as `checked_url`."""
    return f"{checked_url(url)}/sign-in#{secret}"
