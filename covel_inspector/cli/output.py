"""Where the command line writes: safe on every encoding and on closed pipes."""

import io
import os
import sys
from collections.abc import Iterable
from typing import TextIO


def prepare_streams() -> None:
    """Make standard output and error write what they cannot encode as an escape, instead of failing.

    In the C locale Python would write halves of surrogate pairs as raw bytes; this too becomes an escape.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_lines(lines: Iterable[str]) -> None:
    """Write lines to standard output. They have been made safe for terminals before."""
    if sys.stdout is None:
        return
    for line in lines:
        sys.stdout.write(f"{line}\n")


def print_error(line: str) -> None:
    """Write one line to standard error."""
    if sys.stderr is None:
        return
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def only_ascii() -> bool:
    """Whether standard output cannot carry all of Unicode, so that JSON has to be plain ASCII."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "").replace("_", "") not in ("utf8", "utf16", "utf32", "gb18030", "cp65001")


def can_carry(text: str) -> bool:
    """Whether standard output can write a text as it is, without escapes."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def writes_utf8() -> bool:
    """Whether standard output is UTF-8, as documents that name their encoding must be."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "").replace("_", "") in ("utf8", "cp65001")


def finish() -> None:
    """Hand everything to the system. Raises OSError when the other side is gone or the disk is full."""
    if sys.stdout is not None:
        sys.stdout.flush()


def give_up(stream: TextIO | None) -> None:
    """Point a broken stream at nothing, so that Python does not complain about it when it ends."""
    if stream is None:
        return
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, descriptor)
    os.close(nothing)
