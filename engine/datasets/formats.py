"""The names of formats that hold ratings but are no table of text, and what to do about each."""

from __future__ import annotations

import re
import tarfile

from engine.datasets.wording import quoted
from engine.errors import InputError

#: This many bytes at the start of a file tell its format: a block of a tar archive.
HEAD_BYTES = tarfile.BLOCKSIZE

_PACK_AS_ZIP = "pack the ratings alone as .zip or .gz"
_SAVE = "save the ratings as CSV"
_SAVE_EITHER = "save the ratings as CSV or Parquet"
_BY_FIRST_BYTES = {
    b"BZh": f"packed with bzip2: unpack it, or {_PACK_AS_ZIP}",
    b"\xfd7zXZ\0": f"packed with xz: unpack it, or {_PACK_AS_ZIP}",
    b"\x28\xb5\x2f\xfd": f"packed with zstd: unpack it, or {_PACK_AS_ZIP}",
    b"\x04\x22\x4d\x18": f"packed with lz4: unpack it, or {_PACK_AS_ZIP}",
    b"\x1f\x9d": f"packed with compress: unpack it, or {_PACK_AS_ZIP}",
    b"7z\xbc\xaf\x27\x1c": f"a 7z archive: {_PACK_AS_ZIP}",
    b"Rar!": f"a RAR archive: {_PACK_AS_ZIP}",
    b"PK\x05\x06": "an empty archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook: save the sheet as CSV",
    b"\x89HDF": f"an HDF5 file: {_SAVE_EITHER}",
    b"\x93NUMPY": f"a NumPy file: {_SAVE_EITHER}",
    b"MATLAB 5.0": f"a MATLAB file: {_SAVE}",
    b"ARROW1": f"an Arrow or Feather file: {_SAVE_EITHER}",
    b"FEA1": f"a Feather file: {_SAVE_EITHER}",
    b"ORC": f"an ORC file: {_SAVE_EITHER}",
    b"Obj\x01": f"an Avro file: {_SAVE_EITHER}",
    b"PARE": "an encrypted Parquet file: save it without encryption",
    b"RDX": f"an R data file: {_SAVE}, with write.csv",
    b"RDA": f"an R data file: {_SAVE}, with write.csv",
    b"X\n\0\0": f"an R data file: {_SAVE}, with write.csv",
    b"$FL2": f"an SPSS file: {_SAVE}",
    b"<stata_dta>": f"a Stata file: {_SAVE}",
    b"SQLite format 3": "an SQLite database: export the ratings as CSV",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"%PDF": f"a PDF document: {_SAVE}",
    **{
        b"\x80%c" % protocol: f"a Python pickle, which could run code: {_SAVE}"
        for protocol in (2, 3, 4, 5)
    },
}

_BY_FIRST_LINE = {
    # The first that fits counts.
    r"<(!doctype|html|\?xml|[a-z]+>)": f"a web page or XML, not a table: {_SAVE}",
    r"(\[\s*)?\{\s*u?'": (
        "made of Python dictionaries, not a table: save the ratings as CSV, with a column for "
        "each key"
    ),
    r"(\[\s*)*\{\s*(\"|\}|$)|\[\s*[\[\"\d]": f"JSON, not a table: {_SAVE_EITHER}",
    r"%%matrixmarket": "a Matrix Market file: save the ratings as CSV, without its first lines",
    r"(%.*\n\s*)*@relation\b": f"an ARFF file of Weka: {_SAVE}",
    r"(--.*\n\s*|/\*.*\n\s*)*(create table|insert into|drop table|set names|copy \w+)\b": (
        "a dump of an SQL database: export the ratings as CSV"
    ),
    r"\d+:[ \t]*\r?\n": (
        "in the layout of the Netflix Prize, a line for each movie above its ratings: save the "
        "ratings as CSV, with the movie on each line"
    ),
    r"\S+(\s+qid:\d+)?(\s+\d+:[-+.\d]+)+\s*(\n|$)": (
        f"in the layout of LIBSVM, an index before each number: {_SAVE}"
    ),
    r"\|.*\n\|[ :|-]+\n": f"a table in Markdown: {_SAVE}",
    r"(.*\|.*\n)?[ |]*(\+?-{2,}\+)+-*[ |]*\n": (
        f"a table drawn with lines, as databases print it: {_SAVE}"
    ),
    r"(---\s*\n)?-\s+[\w\"']+:\s.*\n\s+[\w\"']+:\s": f"YAML, not a table: {_SAVE_EITHER}",
    r"([\w/]+: .*\n){3,}(\s*\n|$)": (
        "made of lines with a key and a value, not a table: save the ratings as CSV, with a column "
        "for each key"
    ),
    r"[\[(]?\s*\([\w'\"][^()\n]*,[^()\n]*\)[,\]]?\s*(\n|$)": (
        "made of Python tuples, not a table: save the ratings as CSV, without the brackets"
    ),
    r"version https://git-lfs": "a pointer of Git LFS, not the file itself: get the file",
}
_FIRST_LINES = {
    re.compile(pattern, re.IGNORECASE): format_name
    for pattern, format_name in _BY_FIRST_LINE.items()
}
_LOOKED_AT = 4096


def check_is_readable(start: bytes, name: str) -> None:
    r"""Raise InputError for the first bytes of a file that holds neither text nor Parquet.

    Args:
        start: its first `HEAD_BYTES` bytes, or all.
        name: what to call it.

    >>> check_is_readable(b"7z\xbc\xaf\x27\x1c", "mine.7z")
    Traceback (most recent call last):
    ...
    engine.errors.InputError: "mine.7z" is a 7z archive: pack the ratings alone as .zip or .gz.
    """
    for first, format_name in _BY_FIRST_BYTES.items():
        if start.startswith(first):
            raise InputError(f"{quoted(name)} is {format_name}.")
    if _is_tar(start):
        raise InputError(f"{quoted(name)} is a tar archive: unpack it, or {_PACK_AS_ZIP}.")


def _is_tar(start: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(start[:HEAD_BYTES], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def check_is_table(data: bytes) -> None:
    """Raise InputError for a UTF-8 text that holds ratings, but not in the rows of a table."""
    start = data[:_LOOKED_AT].lstrip().decode("utf-8", "ignore")
    for pattern, format_name in _FIRST_LINES.items():
        if pattern.match(start):
            raise InputError(f"The file is {format_name}.")
