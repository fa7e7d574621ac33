"""What reproduces the numbers on the screen: the command line, the settings, the versions."""

from __future__ import annotations

import platform
import shlex
from importlib.metadata import version

from pages.parts.address import UPLOAD, write_address
from pages.parts.pin import write_pin
from pages.parts.screen import Screen
from pages.parts.wording import STRATEGY


def exact_tau(tau: float) -> str:
    """Return tau with every digit it has, because a fold's numbers jump at whole ones.

    >>> exact_tau(96.0), exact_tau(92.99999999999999)
    ('96', '92.99999999999999')
    """
    return repr(float(tau)).removesuffix(".0")


def command_line(screen: Screen) -> str:
    """Return the command that gives all numbers of a report, for a POSIX shell.

    The same tau in every fold, as on the screen: the rules of the command line would give each fold
    its own.
    """
    experiment = screen.results.experiment
    words = ["python", "-m", "engine", "evaluate", _source(screen)]
    words += ["--k", str(screen.k), "--tau", exact_tau(screen.tau)]
    words += ["--strategies", *screen.strategies]
    words += ["--mechanism", experiment.mechanism.name]
    words += ["--memoised"] if experiment.mechanism.memoised else []
    words += ["--folds", str(experiment.folds), "--seed", str(experiment.seed)]
    return shlex.join([*words, "--format", "json"])


def _source(screen: Screen) -> str:
    if screen.view.dataset != UPLOAD:
        return screen.view.dataset
    return screen.results.experiment.ratings.report.file or "FILE"


def source_note(screen: Screen) -> str:
    """Return what the command needs to find the same ratings."""
    if screen.view.dataset == "sample":
        return "The sample is built in: the command needs no file."
    if screen.view.dataset == UPLOAD:
        return (
            "The ratings were uploaded: give the path of the file. The command reads it as it is; "
            "columns, scale or preparation chosen on the Data page are no part of it. The "
            "fingerprint in its output tells whether the ratings are the same."
        )
    return (
        "The command looks for the dataset in the data folder. The fingerprint in its output tells "
        "whether the ratings are the same."
    )


def deep_link(url: str, screen: Screen) -> str:
    """Return the address of this view, with what is pinned."""
    a = screen.pinned
    return f"{url}?{write_address(screen.view, screen.tau, write_pin(a.view, a.tau) if a else '')}"


def settings(screen: Screen) -> dict[str, str]:
    """Return all that the numbers depend on, by name."""
    from engine.selection import ENGINE_VERSION

    experiment = screen.results.experiment
    ratings, scale = experiment.ratings, experiment.ratings.scale
    step = "continuous" if scale.step is None else f"steps of {scale.step:g}"
    report = ratings.report
    return {
        "Dataset": ratings.title,
        "Ratings": f"{ratings.n_ratings:,} of {ratings.n_users:,} users for {ratings.n_items:,} "
        f"items, {scale.minimum:g} to {scale.maximum:g}, {step}",
        "Fingerprint (SHA-256)": ratings.fingerprint,
        "Notes on the file": " ".join((*report.notes, *report.warnings)) or "none",
        "Duplicates dropped": f"{report.duplicates:,}",
        "Neighbors per query, k": str(screen.k),
        "Threshold τ": f"{exact_tau(screen.tau)}, the same in every fold",
        "Strategy on the screen": STRATEGY[screen.strategy],
        "Noise": f"{experiment.mechanism.name}, "
        + ("one answer kept" if experiment.mechanism.memoised else "a fresh answer for each use"),
        "Folds": str(experiment.folds),
        "Seed": str(experiment.seed),
        "Engine": f"version {ENGINE_VERSION}",
        "Python": platform.python_version(),
        **{name: version(name.lower()) for name in ("NumPy", "Numba", "Plotly")},
    }
