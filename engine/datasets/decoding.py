"""From bytes to UTF-8 text, and what it was before."""

from __future__ import annotations

import codecs

from engine.errors import InputError

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8 with byte order mark"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
LOOKED_AT = 4096


def to_utf8(data: bytes) -> tuple[bytes, str]:
    r"""The text as UTF-8 bytes without byte order mark, and the name of its encoding.

    Without a mark: UTF-8 if it is valid, UTF-16 if every other byte is 0, else Latin-1 (as
    Windows-1252 where it uses the characters that Latin-1 lacks), in which all bytes are letters.

    Raises:
        InputError: not text.

    >>> to_utf8(b"caf\xe9")
    (b'caf\xc3\xa9', 'Latin-1')
    """
    for mark, codec, name in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _transcode(data[len(mark) :], codec, name), name
    if b"\0" in data:
        start = data[:LOOKED_AT]
        for codec, place in (("utf-16-le", 1), ("utf-16-be", 0)):
            if start[place::2].count(0) > 0.8 * (len(start) // 2) and not start[
                1 - place :: 2
            ].count(0):
                return _transcode(data, codec, "UTF-16"), "UTF-16"
        raise InputError("The file holds NUL bytes, so it is not text: save the ratings as CSV.")
    if data.isascii():
        return data, "UTF-8"
    try:
        _validate(data)
        return data, "UTF-8"
    except UnicodeDecodeError:
        pass
    if not any(byte in data for byte in range(0x80, 0xA0)):
        return _transcode(data, "latin-1", "Latin-1"), "Latin-1"
    try:
        return data.decode("cp1252").encode(), "Windows-1252"
    except UnicodeDecodeError:
        return _transcode(data, "latin-1", "Latin-1"), "Latin-1"


def _validate(data: bytes) -> None:
    # In blocks: decoded at once, one rare character would make the text four times as large.
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(data), 1 << 20):
        decoder.decode(data[start : start + (1 << 20)])
    decoder.decode(b"", final=True)


def _transcode(data: bytes, codec: str, name: str) -> bytes:
    try:
        if codec == "utf-8":
            _validate(data)
            text = data
        else:
            text = data.decode(codec).encode()
    except UnicodeError:
        raise InputError(
            f"The file is marked as {name.split()[0]} but is damaged: save it as UTF-8."
        ) from None
    if b"\0" in text:
        raise InputError("The file holds NUL bytes, so it is not text: save the ratings as CSV.")
    return text
