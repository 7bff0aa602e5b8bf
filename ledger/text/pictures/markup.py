"""Text as it stands in a picture: of names that anybody may have chosen, nothing is ever markup."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import escape

_NOT_IN_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REPLACED: Final = "\N{REPLACEMENT CHARACTER}"


def marked_up(text: str) -> str:
    """The text with its special signs escaped, and those that no XML may hold (XML 1.0, 2.2) replaced."""
    return str(escape(_NOT_IN_XML.sub(_REPLACED, text)))
