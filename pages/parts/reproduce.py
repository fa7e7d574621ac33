"""What reproduces the numbers on the screen: the command line, the settings, the versions."""

from __future__ import annotations

import platform
import shlex
from dataclasses import replace
from importlib.metadata import version

from engine.experiment import Experiment
from engine.folds_of_ratings import ENGINE_VERSION
from engine.predictions import DEFAULT_PREDICTION
from engine.similarity import DEFAULT_SIMILARITY, SIMILARITIES
from engine.splits import QUERIES
from pages.parts.address import write_address
from pages.parts.looks import name_of
from pages.parts.screen import Screen
from pages.parts.upload_name import UploadName


def command_line(screen: Screen) -> str:
    """Return the command that gives all numbers of a report, for a POSIX shell.

    The same tau in every fold, as on the screen: the rules of the command line would give each fold
    its own.
    """
    experiment = screen.experiment
    words = ["python", "-m", "engine", "evaluate", *source_arguments(screen)]
    words += ["--k", str(screen.k), "--tau", str(screen.tau)]
    words += ["--strategies", *screen.strategies]
    return shlex.join([*words, *experiment_arguments(experiment), "--format", "json"])


def experiment_arguments(experiment: Experiment) -> list[str]:
    """Return the options with which a command makes the same experiment."""
    words = ["--mechanism", experiment.mechanism.name]
    words += ["--memoised"] if experiment.mechanism.memoised else []
    words += ["--queries", experiment.queries] if experiment.queries != QUERIES[0] else []
    for option, name, default in (
        ("--similarity", experiment.similarity, DEFAULT_SIMILARITY),
        ("--prediction", experiment.prediction.name, DEFAULT_PREDICTION),
    ):
        words += [option, name] if name != default else []
    return [*words, "--folds", str(experiment.folds), "--seed", str(experiment.seed)]


def source_arguments(screen: Screen) -> list[str]:
    """Return the source and the options with which a command reads the same ratings."""
    return [_source(screen), *screen.ratings.report.arguments()]


def _source(screen: Screen) -> str:
    if not UploadName.parse(screen.view.dataset):
        return screen.view.dataset
    file = screen.ratings.report.file or "FILE"
    return f"./{file}" if file.startswith("-") else file


def source_note(screen: Screen) -> str:
    """Return what the command needs to find the same ratings."""
    if screen.view.dataset == "sample":
        return "The sample is built in: the command needs no file."
    if UploadName.parse(screen.view.dataset):
        return (
            "The ratings were uploaded: give the path of the file. The command reads and prepares "
            "it as chosen on the Data page. The fingerprint in its output tells whether the "
            "ratings are the same. The link asks whoever opens it for the file, and reads it in "
            "the same way."
        )
    return (
        "The command looks for the dataset in the data folder. The fingerprint in its output tells "
        "whether the ratings are the same."
    )


def deep_link(url: str, screen: Screen) -> str:
    """Return the address of this view, with what is pinned."""
    return f"{url}?{write_address(replace(screen.view, tau=screen.tau))}"


def settings(screen: Screen) -> dict[str, str]:
    """Return all that the numbers depend on, by name."""
    experiment = screen.experiment
    ratings, scale = experiment.ratings, experiment.ratings.scale
    step = "continuous" if scale.step is None else f"steps of {scale.step:g}"
    report = ratings.report
    return {
        "Dataset": ratings.title,
        "Ratings": f"{ratings.n_ratings:,} of {ratings.n_users:,} users for {ratings.n_items:,} "
        f"items, {scale.minimum:g} to {scale.maximum:g}, {step}",
        "Fingerprint (SHA-256)": ratings.fingerprint,
        "Notes on the file": " ".join(map(str, (*report.notes, *report.warnings))) or "none",
        "Duplicates dropped": f"{report.duplicates:,}",
        "Neighbors per query, k": str(screen.k),
        "Threshold τ": f"{screen.tau}, the same in every fold",
        "Strategy on the screen": name_of(screen.strategy),
        "Noise": f"{experiment.mechanism.name}, "
        + ("one answer kept" if experiment.mechanism.memoised else "a fresh answer for each use"),
        "Similarity": SIMILARITIES[experiment.similarity].title,
        "Prediction": experiment.prediction.title,
        "Queries": "all of each fold"
        if experiment.queries == QUERIES[0]
        else "half of each fold; the other half says when embeddings are learned",
        "Folds": str(experiment.folds),
        "Seed": str(experiment.seed),
        "Engine": f"version {ENGINE_VERSION}",
        "Python": platform.python_version(),
        **{name: version(name.lower()) for name in ("NumPy", "Numba", "Plotly")},
    }
