"""`reproduce SOURCE`: the figures of the paper beside what they come to here."""

from __future__ import annotations

import argparse
from typing import Any

from engine.cli.command import Command
from engine.cli.messages import say, warn
from engine.cli.output_options import add_output_options
from engine.cli.run_options import add_work_options, run_with_progress
from engine.cli.source_options import add_source_options
from engine.datasets import Ratings
from engine.growth_curves import GrowthMeasure
from engine.output import write_table
from engine.paper_tests import STARS
from engine.reproduction import Reproduction, measure_paper, recognize, tabulate_reproduction
from engine.settings import Settings
from engine.strategies import STRATEGIES

#: What the tests of the curves look for.
_MORE: dict[GrowthMeasure, str] = {
    "neighbors": "fewer neighbors",
    "co_ratings": "more items in common with neighbors",
}
#: The exit status if a figure is outside its tolerance.
_NOT_REPRODUCED = 1


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_source_options(parser)
    add_work_options(parser)
    add_output_options(parser)


def _reproduce(ratings: Ratings, settings: Settings, **more: Any) -> Reproduction:
    dataset = recognize(ratings)
    if not dataset.has_counts_of(ratings):
        warn(
            f"The paper's {dataset.name} has {dataset.users:,} users, {dataset.items:,} items and "
            f"{dataset.ratings:,} ratings; here are {ratings.n_users:,}, {ratings.n_items:,} and "
            f"{ratings.n_ratings:,}. Its figures are about other ratings."
        )
    return measure_paper(ratings, settings, **more)


def _run(options: argparse.Namespace) -> int:
    settings = Settings(mechanism="continuous", seed=options.seed, jobs=options.jobs)
    measured = run_with_progress(options, _reproduce, settings)
    figures = measured.figures
    write_table(tabulate_reproduction(figures), options.format, options.out)
    within = sum(figure.within for figure in figures)
    say(f"{within} of {len(figures)} figures of the paper are within their tolerance.")
    _say_what_is_significant(measured)
    return 0 if within == len(figures) else _NOT_REPRODUCED


def _say_what_is_significant(measured: Reproduction) -> None:
    tested = [figure for figure in measured.figures if figure.test is not None]
    others = [figure for figure in tested if figure.stars != figure.figure.stars]
    say(
        f"{len(tested) - len(others)} of {len(tested)} marks of significance ({STARS} or none) are "
        "those of the paper."
    )
    for other in others:
        marked = "is marked here and not" if other.stars else "is not marked here, but"
        title = STRATEGIES[other.figure.strategy].title
        say(f"{title}, {other.figure.metric}: {marked} in the paper.")
    for measure, curves in measured.growth.items():
        for setting, curve in curves.items():
            significant = int((curve.significant & curve.tested).sum())
            say(
                f"{STRATEGIES[setting.strategy].title}: significantly {_MORE[measure]} than "
                f"UserKNN at {significant} of {int(curve.tested.sum())} q, in all folds."
            )


REPRODUCE = Command(
    "reproduce", "the figures of the paper beside what they come to here", _add_options, _run
)
