"""The options of a run over the folds, and the run itself with its progress on the screen."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from tqdm import tqdm

from cache import Store
from engine.cli.messages import warn
from engine.cli.output_options import add_output_options
from engine.cli.source_options import add_source_options, load_source
from engine.embeddings import EMBEDDING_MODELS
from engine.predictions import PREDICTIONS
from engine.settings import Settings
from engine.similarity import SIMILARITIES
from engine.splits import QUERIES
from engine.strategies import STRATEGIES

Result = TypeVar("Result")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the source, what `Settings` holds except tau and protections, and the output."""
    default = Settings()
    add_source_options(parser)
    parser.add_argument(
        "--k",
        nargs="+",
        type=int,
        default=list(default.ks),
        metavar="K",
        help="numbers of neighbors (default: 10)",
    )
    parser.add_argument(
        "--strategies",
        nargs="+",
        default=list(default.strategies),
        metavar="S",
        help=f"{', '.join(STRATEGIES)} (default: {', '.join(default.strategies)})",
    )
    parser.add_argument(
        "--similarity",
        default=default.similarity,
        metavar="S",
        help=f"{', '.join(SIMILARITIES)} (default: %(default)s)",
    )
    parser.add_argument(
        "--prediction",
        default=default.prediction,
        metavar="P",
        help=f"{', '.join(PREDICTIONS)} (default: %(default)s)",
    )
    parser.add_argument(
        "--embedding-model",
        type=str.lower,
        default=default.embedding_model,
        metavar="M",
        help=f"how NeuKNN's vectors are learned: {', '.join(EMBEDDING_MODELS)} "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--queries",
        type=str.lower,
        default=default.queries,
        metavar="Q",
        help="ask all queries of a fold, or half, as NeuKNN is always asked, to compare with it: "
        f"{', '.join(QUERIES)} (default: %(default)s)",
    )
    parser.add_argument(
        "--mechanism",
        metavar="M",
        help="discrete or continuous noise (default: discrete where the scale has steps)",
    )
    parser.add_argument(
        "--memoised",
        action="store_true",
        help="answer once for each neighbor and item, and keep the answer",
    )
    parser.add_argument("--folds", type=int, default=default.folds)
    parser.add_argument("--only-fold", type=int, metavar="F", help="run one fold, from 0")
    add_work_options(parser)
    add_output_options(parser)


def add_work_options(parser: argparse.ArgumentParser) -> None:
    """Add `--jobs` and `--no-cache`: how the work is done, which changes no figure."""
    parser.add_argument(
        "--jobs",
        type=int,
        default=Settings().jobs,
        metavar="N",
        help="threads (default: all cores)",
    )
    parser.add_argument("--no-cache", action="store_true", help="neither read nor keep results")


def add_tau_option(parser: argparse.ArgumentParser) -> None:
    """Add `--tau`, a rule or a number."""
    parser.add_argument(
        "--tau",
        default="published",
        metavar="RULE",
        help="published, tail, a quantile such as q90, or a number (default: published, "
        "which says more about its bandwidth of 50 than about the data: see the README)",
    )


def read_settings(options: argparse.Namespace) -> Settings:
    """Return the settings that the options say."""
    protections = getattr(options, "protection", None)
    return Settings(
        ks=tuple(dict.fromkeys(options.k)),
        strategies=tuple(dict.fromkeys(options.strategies)),
        protections=None if protections is None else tuple(dict.fromkeys(protections)),
        tau=getattr(options, "tau", 0.0),
        mechanism=options.mechanism,
        memoised=options.memoised,
        folds=options.folds,
        only_fold=options.only_fold,
        seed=options.seed,
        jobs=options.jobs,
        similarity=options.similarity,
        prediction=options.prediction,
        embedding_model=options.embedding_model,
        queries=options.queries,
    )


def warn_of_other_queries(options: argparse.Namespace) -> None:
    """Warn where strategies are compared that are not asked the same queries."""
    learned = [s for s in options.strategies if s in STRATEGIES and STRATEGIES[s].needs_embeddings]
    if learned and options.queries == QUERIES[0]:
        warn(
            f"{' and '.join(STRATEGIES[s].title for s in learned)}: asked half of the queries that "
            "the other strategies are asked. To compare them, add --queries half."
        )


def run_with_progress(
    options: argparse.Namespace,
    run: Callable[..., Result],
    settings: Settings | None = None,
    **more: Any,
) -> Result:
    """Return `run(ratings, settings, store=..., progress=..., **more)` of the source.

    The settings are those that the options say, unless they are given.
    """
    settings = settings or read_settings(options)
    ratings = load_source(options)
    store = None if options.no_cache else Store()
    with tqdm(
        total=100,
        file=sys.stderr,
        leave=False,
        delay=0.5,
        bar_format="{l_bar}{bar}| {elapsed} so far, {remaining} left",
    ) as bar:

        def show(share: float, text: str) -> None:
            bar.set_description(text, refresh=False)
            bar.update(100 * share - bar.n)

        return run(ratings, settings, store=store, progress=show, **more)
