"""The files of the data folder, and the known datasets with how to get them."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from engine.datasets import DatasetInfo, available, load
from engine.datasets.catalog import DATA_DIR_VARIABLE, data_folder
from engine.datasets.grouplens import ARCHIVES
from engine.datasets.known import KNOWN, KnownDataset
from engine.datasets.remedies import Advice
from engine.datasets.statistics import PAPER_DATASETS, Statistics, paper_statistics
from engine.errors import InputError
from pages.contents.data import downloads
from pages.contents.data.statistics_table import draw_statistics
from pages.parts.file_warnings import OF_FOLDER, reason_of, said_on_page
from pages.parts.wording import verbatim

_LOG: Final = logging.getLogger(__name__)
#: After this many seconds of counting, the page shows the files it has counted.
_PATIENCE: Final = 6.0


def draw_folder() -> None:
    """Draw the rating files of the data folder with their figures, and what could not be read."""
    st.write(
        "These are the ratings files in the data folder of the computer that runs this program. "
        f"Everybody who uses the program sees them. `{DATA_DIR_VARIABLE}` chooses another folder."
    )
    st.code(str(data_folder()), language=None, wrap_lines=True)
    files = [info for info in available() if info.source is not None]
    if not files:
        st.info("The folder holds no ratings files yet.")
        return
    counted: list[tuple[DatasetInfo, _Count]] = []
    waiting = 0
    deadline = time.monotonic() + _PATIENCE
    for info in files:
        if time.monotonic() > deadline and _key(info) not in _counts():
            waiting += 1
        else:
            counted.append((info, _count(info)))
    _draw_counted([(info, count.statistics) for info, count in counted if count.statistics])
    _draw_list(
        "What to check in these files",
        [(info, warning) for info, count in counted for warning in count.warnings],
    )
    _draw_list(
        "What could not be read, and why",
        [(info, count.refusal) for info, count in counted if count.refusal],
    )
    if waiting:
        st.button(f"Count the other {waiting}, too", key="count_more")
    st.caption("The sidebar lists them by name.")


def _draw_counted(counted: Sequence[tuple[DatasetInfo, Statistics]]) -> None:
    names: list[dict[str, str]] = []
    figures: list[Statistics] = []
    for info, statistics in counted:
        names.append({"File": info.file, "Dataset": info.title})
        figures.append(statistics)
        if paper := paper_statistics(info.name, statistics):
            names.append({"File": "", "Dataset": f"{paper[0]} in the paper"})
            figures.append(paper[1])
    if names:
        draw_statistics(names, figures)


def _draw_list(title: str, entries: Sequence[tuple[DatasetInfo, str | Advice]]) -> None:
    lines = [
        f"- **{verbatim(info.file)}**: {said_on_page(text, OF_FOLDER)}" for info, text in entries
    ]
    if lines:
        st.markdown(f"**{title}**\n\n" + "\n".join(lines))


@dataclass(frozen=True)
class _Count:
    """What a file holds and what is odd about it, or the reason that it cannot be read."""

    statistics: Statistics | None = None
    warnings: tuple[str | Advice, ...] = ()
    refusal: str | Advice = ""


_Key = tuple[str, int, int]


def _key(info: DatasetInfo) -> _Key:
    """Return a key that changes when the file does."""
    try:
        stat = info.source.stat() if info.source else None
    except OSError:
        stat = None
    return (str(info.source), *((stat.st_mtime_ns, stat.st_size) if stat else (0, 0)))


@st.cache_resource(show_spinner=False)
def _counts() -> dict[_Key, _Count]:
    return {}


def _count(info: DatasetInfo) -> _Count:
    """Count a file; one that changed is counted again."""
    key, counts = _key(info), _counts()
    if key not in counts:
        with st.spinner(f"Counting {verbatim(info.file)}"):
            counts[key] = _read(info)
    return counts[key]


def _read(info: DatasetInfo) -> _Count:
    assert info.source is not None
    try:
        ratings = load(info.source)
    except InputError as error:
        return _Count(refusal=reason_of(error))
    except MemoryError:
        return _Count(refusal="It needs more memory than there is.")
    except Exception:
        # A fault of one file must not hide the others.
        _LOG.exception("%s cannot be read", info.source)
        return _Count(refusal="It cannot be read; the log of the server says why.")
    return _Count(Statistics.of(ratings), ratings.report.warnings)


def draw_known() -> None:
    """Draw the catalog: size, license, citation, and how to get each."""
    st.write("The five datasets of the paper, and two more of MovieLens.")
    present = {info.name for info in available()}
    for known in KNOWN.values():
        with st.container(border=True):
            _draw_known(known, known.name in present)


def _draw_known(known: KnownDataset, present: bool) -> None:
    paper = " · in the paper" if known.name in PAPER_DATASETS else ""
    st.header(known.title, anchor=False)
    st.write(f"{known.users:,} users · {known.items:,} items · {known.ratings:,} ratings{paper}")
    origin = f" [Its page]({known.origin})" if known.origin else ""
    st.caption(
        f"License: {known.license}.{origin}  \nCitation: {verbatim(known.citation, longest=400)}"
    )
    if present:
        st.success(f"In the data folder; the sidebar lists it as {known.title}.")
    elif known.name in ARCHIVES:
        downloads.draw_get(known.name, known.title)
    else:
        st.write(known.how_to_get)
