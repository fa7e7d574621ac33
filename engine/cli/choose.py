"""`choose SOURCE`: limits in, decision out."""

from __future__ import annotations

import argparse
from typing import Any

from engine.candidates import TauOutcome
from engine.choice import Decision
from engine.choice_table import decide, tabulate_choices
from engine.cli.command import Command
from engine.cli.messages import say, warn
from engine.cli.run_options import add_run_options, run_with_progress, warn_of_other_queries
from engine.limits import BASELINES, CRITERIA, LIMITS, PROTECTS_SOMEBODY, Limits
from engine.output import write_table
from engine.tau_choice import come_to_the_same

#: How wide, as a share of tau, a flat stretch of the error must be to be named.
_FLAT = 0.1


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_run_options(parser)
    limits = parser.add_argument_group("limits", "A share is written as 20% or 0.2.")
    for name, limit in LIMITS.items():
        bound = "at least" if limit.at_least else "at most"
        limits.add_argument(
            _option(name),
            metavar={"share": "SHARE", "number": "X", "whole": "N"}[limit.form],
            help=f"{bound} this: {limit.words}",
        )
    limits.add_argument(
        "--baseline",
        default=Limits().baseline,
        metavar="B",
        help="what the error is compared with: "
        + "; ".join(f"{name}, {words}" for name, words in BASELINES.items())
        + " (default: %(default)s)",
    )
    limits.add_argument(
        "--criterion",
        default=Limits().criterion,
        metavar="C",
        help=f"what the best has least of: {', '.join(CRITERIA)} (default: %(default)s)",
    )
    limits.add_argument(
        _option(PROTECTS_SOMEBODY),
        action="store_true",
        help="let in a tau at or above the largest usage, which protects nobody",
    )


def _read_limits(options: argparse.Namespace) -> Limits:
    texts = {name: getattr(options, name) for name in LIMITS}
    values: dict[str, Any] = {
        name: LIMITS[name].read(text, _option(name))
        for name, text in texts.items()
        if text is not None
    }
    if "max_real_uses" in values:
        values["max_real_uses"] = int(values["max_real_uses"])
    return Limits(
        **values,
        baseline=options.baseline.lower(),
        criterion=options.criterion.lower(),
        allow_unprotected=options.allow_unprotected,
    )


def _run(options: argparse.Namespace) -> None:
    limits = _read_limits(options)
    warn_of_other_queries(options)
    decision = run_with_progress(options, decide, limits=limits)
    for sentence in _sentences(decision):
        say(sentence)
    if decision.best is not None and not limits.asks_for_protection:
        warn(
            "None of these limits asks for protection: a higher tau counts fewer users as "
            "vulnerable and costs less error because it protects less. "
            "--max-risk and --max-real-uses ask for it."
        )
    table = tabulate_choices(decision)
    if options.format == "table":
        table["binds"] = table["binds"].map(", ".join)
    write_table(table, options.format, options.out)


def _sentences(decision: Decision) -> list[str]:
    """Return the decision in words: what is best and what is as good, or what would be needed."""
    limits, best = decision.limits, decision.best
    if best is None or best.outcome is None or best.tau is None:
        return ["Nothing meets all these limits.", *_relaxed(decision)]
    sentences = [f"Best: {_words(best.outcome)}: {_consequences(best.outcome, limits)}."]
    if best.outcome.protects_nobody:
        sentences.append("This tau protects nobody: no user is used more often.")
    same: list[str] = []
    alike: list[str] = []
    for choice in decision.groups[0][1:]:
        if choice.outcome is not None:
            (same if come_to_the_same(best, choice) else alike).append(_words(choice.outcome))
    if same:
        sentences.append(f"The same in all figures: {'; '.join(same)}.")
    if alike:
        sentences.append(
            f"As good within the noise of the folds (by {limits.criterion}): {'; '.join(alike)}."
        )
    stretch = best.flat_stretch("mae", best.tau)
    if stretch is None:
        sentences.append("One fold only: nothing tells how much of a difference is chance.")
    elif stretch[1] - stretch[0] >= _FLAT * best.tau:
        sentences.append(
            f"Its error is the same within the noise of the folds from tau = {stretch[0]} "
            f"to {stretch[1]}."
        )
    return sentences


def _relaxed(decision: Decision) -> list[str]:
    sentences = []
    for relaxation in decision.relaxations:
        option, words = _option(relaxation.limit), _words(relaxation.outcome)
        if relaxation.needed is None or relaxation.stated is None:
            sentences.append(f"With {option}, {words} would: it protects nobody.")
        else:
            limit = LIMITS[relaxation.limit]
            sentences.append(
                f"With {option} {limit.text(relaxation.needed)} instead of "
                f"{limit.text(relaxation.stated)}, {words} would."
            )
    return sentences or ["No single limit is in the way alone: relax more than one."]


def _words(outcome: TauOutcome) -> str:
    return f"{outcome.strategy}, k = {outcome.k}, tau = {outcome.tau}"


def _consequences(outcome: TauOutcome, limits: Limits) -> str:
    increase = outcome.error_increase
    compared = f"{100 * abs(increase):.2f} % {'above' if increase >= 0 else 'below'}"
    return (
        f"MAE {outcome.mae:.4f}, {compared} {BASELINES[limits.baseline]}; "
        f"{_percent(outcome.vulnerable_share)} of the users vulnerable, "
        f"mean risk {outcome.privacy_risk:.4g}, "
        f"{_percent(outcome.protected_uses)} of the uses answered with noise"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %" if share == 0 or share >= 0.0001 else "less than 0.01 %"


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


CHOOSE = Command("choose", "limits in, decision out: strategy, k and tau", _add_options, _run)
