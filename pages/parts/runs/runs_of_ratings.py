"""The runs of the server that belong to some ratings, by kind; forgetting ratings forgets all.

Each kind has a worker of its own, so that it need not wait for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import StrEnum
from typing import Any
from weakref import ReferenceType

import streamlit as st

from engine.datasets import Ratings
from engine.experiment import Experiment
from pages.parts.runs.worker import Result, Runs, Work


class Kind(StrEnum):
    """What is computed in the background. The result of each run has the `experiment` it is of."""

    RESULTS = "results"
    TOP_LISTS = "top-lists"
    OVER_TIME = "over-time"
    ATTACKS = "attacks"
    PAPER = "paper"
    NEUKNN = "neuknn"


@st.cache_resource(show_spinner=False)
def runs_of(kind: Kind) -> Runs[Any]:
    """Return the worker of a kind and its runs; there is one of them, however many sessions."""
    return Runs()


def run_key(experiment: Experiment, *asked: Hashable) -> Hashable:
    """Return what tells the runs of a kind apart: the experiment, and what is asked of it."""
    mechanism = experiment.mechanism
    return (
        experiment.ratings.fingerprint,
        experiment.folds,
        experiment.seed,
        mechanism.name,
        mechanism.memoised,
        experiment.queries,
        experiment.similarity,
        experiment.prediction.name,
        *asked,
    )


def begin_run(
    of: ReferenceType[Experiment],
    kind: Kind,
    asked: Hashable,
    make: Callable[[Experiment], Result],
    work: Work[Result],
) -> None:
    """Begin a run of what is asked of an experiment, or go on with it.

    For a button, which Streamlit never forgets: it must not keep ratings that somebody forgets.
    """
    if experiment := of():
        runs_of(kind).begin(run_key(experiment, asked), make(experiment), work)


def forget_runs(ratings: Ratings) -> None:
    """Drop all runs of these ratings; those at work stop. The store keeps what they computed."""
    for kind in Kind:
        runs = runs_of(kind)
        for run in runs.all():
            if run.result.experiment.ratings.fingerprint == ratings.fingerprint:
                runs.forget(run.key)
