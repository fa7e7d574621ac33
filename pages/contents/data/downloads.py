"""The conditions of an archive, and its download in the background."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from engine.datasets.download import download, download_address
from engine.datasets.grouplens import ARCHIVES
from engine.datasets.network import host
from pages.parts import memory
from pages.parts.polling import polling
from pages.parts.runs.worker import Run, Runs, Work
from pages.parts.wording import verbatim

_LOOK_EVERY: Final = "2s"


@st.cache_resource(show_spinner=False)
def _downloads() -> Runs[Path | None]:
    # A worker of its own: a download does not wait until a run of hours is through.
    return Runs()


def _work(name: str) -> Work[Path | None]:
    def work(run: Run[Path | None]) -> None:

        def report(have: int, total: int | None) -> None:
            of = f" of {total / 1e6:.1f} MB" if total else " MB"
            run.progress(have / total if total else 0.0, f"{have / 1e6:.1f}{of}")

        run.text = "Asking the server"
        downloaded = download(name, progress=report, cancelled=run.stop.is_set)
        run.finished_part(downloaded.path)

    return work


def start(name: str) -> None:
    """Begin a download, or go on with one that was stopped or broke off."""
    run = _downloads().ask(name, lambda: (None, _work(name)))
    if not run.active:
        _downloads().again(name)


def draw_get(name: str, title: str) -> None:
    """Draw the conditions of an archive and the button that gets it, or the progress."""
    archive = ARCHIVES[name]
    run = _downloads().known(name)
    if run is not None and run.active:
        _watch(name)
        return
    if run is not None and run.state == "failed":
        st.error(verbatim(run.error, longest=400))
    elif run is not None and run.state == "cancelled":
        st.info("Stopped. The part that has come is kept, and another try goes on from there.")
    conditions = "\n".join(f"- {condition}" for condition in archive.conditions)
    with st.expander(
        f"Get {title}, about {archive.size / 1e6:.0f} MB from {host(download_address())}"
    ):
        st.markdown(f"The conditions of its license:\n\n{conditions}")
        accepted = st.checkbox("I accept these conditions", key=f"accept-{name}")
        st.button(
            f"Get {title}",
            key=f"get-{name}",
            type="primary",
            disabled=not accepted,
            on_click=start,
            args=(name,),
        )


@polling(_LOOK_EVERY)
def _watch(name: str) -> None:
    run = _downloads().known(name)
    if run is None or not run.active:
        memory.run_again()
    st.progress(min(1.0, run.share), text=run.text)
    st.button("Cancel", key=f"cancel-{name}", on_click=run.stop.set)
