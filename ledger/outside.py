"""Reading files from outside: never more than a limit, and no devices.

Streams that the shell opened (`/dev/stdin`, `<(…)`) are read within the same limit, whatever they are.
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
    """Return whether the path names a stream that the shell opened, perhaps a pipe."""
    return _HANDED_OVER.fullmatch(str(path)) is not None


def opened(path: Path, *, may_be_pipe: bool = False) -> BufferedReader:
    """Open a file for reading bytes; wait for the writer of a named pipe if it `may_be_pipe`.

    Raise `OSError` if it cannot be read, and `UsageError` for a device or a pipe, which may never end.
    """
    # Opening a pipe without a writer would block.
    flags = os.O_RDONLY | (0 if may_be_pipe or is_handed_over(path) else os.O_NONBLOCK)
    file = os.fdopen(_only_file(os.open(path, flags), path, may_be_pipe), "rb")
    assert isinstance(file, BufferedReader)
    return file


def _only_file(descriptor: int, path: Path, may_be_pipe: bool) -> int:
    """Return the descriptor if it is a regular file; else close it and raise `UsageError`."""
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        is_taken = stat.S_ISREG(mode) or (may_be_pipe and stat.S_ISFIFO(mode)) or is_handed_over(path)
        if not is_taken:
            raise UsageError("file", _phrase("outside.no_file", file=path))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_file(path: Path, what: str, most: int) -> bytes:
    """Read a whole file of at most `most` bytes; `what` as in `exceeded`.

    Raise `MalformedError`, or as `opened`.
    """
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise exceeded(what, size, most, "bytes", in_file(path))
        return read_stream(file, what, most, in_file(path))


def read_stream(file: BinaryIO, what: str, most: int, where: Text) -> bytes:
    """Read a stream to its end, at most `most` bytes; raise `MalformedError` if there are more."""
    content = file.read(most + 1)
    if len(content) > most:
        raise exceeded(what, len(content), most, "bytes", where)
    return content


def read_text_file(path: Path, what: str, most: int) -> str:
    """Read a whole text in UTF-8 of at most `most` characters; raise as `read_file`, and `UnicodeDecodeError`."""
    with TextIOWrapper(opened(path), encoding="utf-8") as file:
        text = file.read(most + 1)
    if len(text) > most:
        raise exceeded(what, len(text), most, "characters", in_file(path))
    return text
