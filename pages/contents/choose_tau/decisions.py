"""What the limits on the screen come to: candidates and decision, worked out once."""

from __future__ import annotations

from engine.candidates import Candidate, TauOutcome, gather_candidates
from engine.choice import Decision, choose_tau
from engine.limits import Limits
from engine.tau_choice import TauChoice
from pages.contents.choose_tau.top_lists_run import TopLists, ask_top_lists
from pages.parts.runs.worker import Run
from pages.parts.screen import Screen


def ks_of(screen: Screen, limits: Limits) -> tuple[int, ...]:
    """Return the k that are looked at: all that are finished.

    The top lists of every k would take minutes on a million ratings, so limits on them look at the
    k of the sidebar alone.
    """
    return (screen.k,) if limits.needs_top_lists else screen.results.ks(screen.k)


def unfinished_top_lists(screen: Screen, limits: Limits) -> Run[TopLists] | None:
    """Return the run that follows the top lists if the limits need them and it has not finished."""
    if not limits.needs_top_lists:
        return None
    run = ask_top_lists(screen.experiment, screen.strategies, screen.k, screen.folds)
    return None if run.state == "finished" else run


def candidates_of(screen: Screen, limits: Limits) -> list[Candidate]:
    """Return a candidate for each strategy and k that is finished.

    On large data a +Reuse strategy is finished at the k looked at long before it is at the others.
    """
    results, top_lists = screen.results, limits.needs_top_lists
    cells = tuple(
        (strategy, k)
        for strategy in screen.strategies
        for k in ks_of(screen, limits)
        if strategy in results.strategies(k)
    )
    return results.remembered(
        ("candidates", cells, screen.folds, top_lists),
        lambda: [
            candidate
            for strategy, k in cells
            for candidate in gather_candidates(
                screen.experiment, [strategy], [k], screen.folds, top_lists=top_lists
            )
        ],
    )


def decision_of(screen: Screen, limits: Limits) -> Decision:
    """Return the decision over all strategies and k that are finished."""
    candidates = candidates_of(screen, limits)
    return screen.results.remembered(
        ("decision", limits, *((c.strategy, c.k, len(c.sweep.sweeps)) for c in candidates)),
        lambda: choose_tau(candidates, limits),
    )


def current_choice(screen: Screen, decision: Decision) -> TauChoice:
    """Return what the limits leave of the strategy and k of the sidebar."""
    return next(
        choice
        for choice in decision.choices
        if (choice.candidate.strategy, choice.candidate.k) == (screen.strategy, screen.k)
    )


def current_outcome(screen: Screen, decision: Decision) -> TauOutcome:
    """Return what the settings of the sidebar come to."""
    candidate = current_choice(screen, decision).candidate
    return candidate.outcome(int(screen.tau), decision.limits.baseline)
