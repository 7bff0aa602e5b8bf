"""Reads files from outside: of each no more than its limit, and of nothing that is no file.

What the shell has opened (`/dev/stdin`, `<(…)`) is read whatever it is, within the same limit.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import BinaryIO, Final

from ledger.errors import UsageError, in_file
from ledger.i18n import Text, phrases
from ledger.limits import exceeded

_phrase: Final = phrases("ledger.i18n")

_HANDED_OVER: Final = re.compile(r"/dev/(?:stdin|stdout|stderr|fd/\d+)|/proc/(?:self|\d+)/fd/\d+")


def is_handed_over(path: str | Path) -> bool:
    """Whether this names what the shell has opened already, perhaps a pipe."""
    return _HANDED_OVER.fullmatch(str(path)) is not None


def opened(path: Path) -> BufferedReader:
    """The file, to be read by bytes and closed.

    Raises `OSError` where it cannot be read, and `UsageError` for a device or a pipe, which may have no end.
    """
    # Of a pipe without a writer, opening alone would wait.
    flags = os.O_RDONLY | (0 if is_handed_over(path) else os.O_NONBLOCK)
    file = os.fdopen(_only_file(os.open(path, flags), path), "rb")
    assert isinstance(file, BufferedReader)
    return file


def _only_file(descriptor: int, path: Path) -> int:
    """The descriptor, which is closed where it is not to be read."""
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode) and not is_handed_over(path):
            raise UsageError("file", _phrase("outside.no_file", file=path))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_file(path: Path, what: str, most: int) -> bytes:
    """All of a file of at most so many bytes; `what` as in `exceeded`. Raises `MalformedError`, or as `opened`."""
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise exceeded(what, size, most, "bytes", in_file(path))
        return read_stream(file, what, most, in_file(path))


def read_stream(file: BinaryIO, what: str, most: int, where: Text) -> bytes:
    """All that comes, at most so many bytes; raises `MalformedError`."""
    content = file.read(most + 1)
    if len(content) > most:
        raise exceeded(what, len(content), most, "bytes", where)
    return content


def read_text_file(path: Path, what: str, most: int) -> str:
    """All of a text in UTF-8 of at most so many characters; raises as `read_file`, and `UnicodeDecodeError`."""
    with TextIOWrapper(opened(path), encoding="utf-8") as file:
        text = file.read(most + 1)
    if len(text) > most:
        raise exceeded(what, len(text), most, "characters", in_file(path))
    return text
