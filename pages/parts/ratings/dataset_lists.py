"""The files of the data folder, and the datasets that are known with how to get them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import streamlit as st

from pages.parts.ratings import downloads
from pages.parts.ratings.statistics_table import draw_statistics
from pages.parts.wording import plain

if TYPE_CHECKING:
    from engine.datasets import DatasetInfo
    from engine.datasets.known import KnownDataset
    from engine.datasets.statistics import Statistics

#: Seconds that counting the files of a folder may take before the page shows what it has.
_PATIENCE: Final = 6.0


def draw_folder() -> None:
    """Draw the rating files of the data folder with their figures, and what could not be read."""
    from engine.datasets import available
    from engine.datasets.catalog import DATA_DIR_VARIABLE, data_folder
    from engine.datasets.statistics import paper_statistics

    st.write(
        "Ratings files in the data folder of the computer that this program runs on. Whoever uses "
        f"it sees them. `{DATA_DIR_VARIABLE}` chooses another folder."
    )
    st.code(str(data_folder()), language=None, wrap_lines=True)
    files = [info for info in available() if info.source is not None]
    if not files:
        st.info("There are no ratings files in it yet.")
        return
    names: list[dict[str, str]] = []
    figures: list[Statistics] = []
    refused, waiting = [], 0
    deadline = time.monotonic() + _PATIENCE
    for info in files:
        if time.monotonic() > deadline and not _is_counted(info):
            waiting += 1
            continue
        counted = _count(info)
        if isinstance(counted, str):
            refused.append(f"- **{plain(_file(info))}**: {plain(counted, longest=400)}")
            continue
        names.append({"File": _file(info), "Dataset": info.title})
        figures.append(counted)
        if paper := paper_statistics(info.name, counted):
            names.append({"File": "", "Dataset": f"{paper[0]} in the paper"})
            figures.append(paper[1])
    if names:
        draw_statistics(names, figures)
    if refused:
        st.markdown("**What could not be read, and why**\n\n" + "\n".join(refused))
    if waiting:
        st.button(f"Count the other {waiting} too", key="count_more")
    st.caption("The sidebar lists them by name.")


def _file(info: DatasetInfo) -> str:
    return info.source.name if info.source else info.name


def _changed(info: DatasetInfo) -> tuple[int, int]:
    try:
        stat = info.source.stat() if info.source else None
    except OSError:
        stat = None
    return (stat.st_mtime_ns, stat.st_size) if stat else (0, 0)


@st.cache_resource(show_spinner=False)
def _counts() -> dict[tuple[str, int, int], Statistics | str]:
    return {}


def _is_counted(info: DatasetInfo) -> bool:
    return (str(info.source), *_changed(info)) in _counts()


def _count(info: DatasetInfo) -> Statistics | str:
    """Return the figures of a file, or why it cannot be read; a file that changed is read again."""
    from engine.datasets import load
    from engine.datasets.statistics import Statistics
    from engine.errors import InputError

    key = (str(info.source), *_changed(info))
    counts = _counts()
    if key not in counts:
        with st.spinner(f"Counting {plain(_file(info))}"):
            try:
                assert info.source is not None
                counts[key] = Statistics.of(load(info.source))
            except (InputError, OSError) as error:
                counts[key] = str(error)
    return counts[key]


def draw_known() -> None:
    """Draw the catalog: size, license, citation, and how to get each."""
    from engine.datasets import available
    from engine.datasets.known import KNOWN

    st.write("The five datasets of the paper, and two more from the same source.")
    present = {info.name for info in available()}
    for known in KNOWN.values():
        with st.container(border=True):
            _draw_known(known, known.name in present)


def _draw_known(known: KnownDataset, present: bool) -> None:
    from engine.datasets.grouplens import ARCHIVES
    from engine.datasets.statistics import PAPER_DATASETS

    paper = " · in the paper" if known.name in PAPER_DATASETS else ""
    st.header(known.title, anchor=False)
    st.write(f"{known.users:,} users · {known.items:,} items · {known.ratings:,} ratings{paper}")
    origin = f" [Its page]({known.origin})" if known.origin else ""
    st.caption(
        f"License: {known.license}.{origin}  \nCitation: {plain(known.citation, longest=400)}"
    )
    if present:
        st.success(f"In the data folder; the sidebar lists it as {known.title}.")
    elif known.name in ARCHIVES:
        downloads.draw_get(known.name, known.title)
    else:
        st.write(known.how_to_get)
