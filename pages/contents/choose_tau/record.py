"""The decision record: one page for the file, as HTML and as Markdown, from the same content."""

from __future__ import annotations

import platform
import shlex
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from engine.candidates import TauOutcome
from engine.choice import Decision
from engine.exposure import exposure_of
from engine.folds_of_ratings import ENGINE_VERSION
from engine.limits import LIMITS, Limits
from engine.noisy_answer import Hides, NoisyAnswer
from engine.privacy import Mechanism
from engine.usage_distribution import UsageDistribution
from pages.contents.choose_tau.decisions import current_choice, current_outcome
from pages.contents.choose_tau.words import (
    binds_words,
    consequences,
    limits_in_words,
    limits_verdict_sentence,
)
from pages.parts.address import write_address
from pages.parts.drawing.standalone import render
from pages.parts.looks import STRATEGY_LOOKS, name_of
from pages.parts.outcomes import setting_words
from pages.parts.promises import (
    NEIGHBORS_SENTENCE,
    adding_up_sentences,
    noisy_answer_sentence,
)
from pages.parts.reproduce import experiment_arguments, source_arguments
from pages.parts.screen import Screen
from pages.parts.wording import agreeing, at_most, exactly, first_uses, number, percent, times

_PAGE: Final = Path(__file__).with_name("record.html")
_MARKDOWN: Final = Path(__file__).with_name("record.md")
#: Alternatives that a page has room for.
_MOST_ALTERNATIVES: Final = 4


@dataclass(frozen=True)
class Note:
    """What the people who decide write themselves."""

    rationale: str = ""
    names: str = ""
    open_questions: str = ""


@dataclass(frozen=True)
class Record:
    """The content of a decision record; sentences are plain text or Markdown with bold parts."""

    title: str
    data: str
    words: list[str]
    choice: str
    verdict: str
    limits: list[str]
    consequences: list[str]
    alternatives: list[str]
    exposed: list[str]
    promised: list[str]
    not_promised: list[str]
    note: Note
    made: str
    source: list[str]


def make_record(screen: Screen, decision: Decision, note: Note, url: str) -> Record:
    """Return the record of the settings on the screen."""
    outcome, limits = current_outcome(screen, decision), decision.limits
    ratings = screen.ratings
    return Record(
        title=f"Decision: τ = {exactly(outcome.tau)} for {ratings.title}",
        words=[
            f"τ limits how often a person's real ratings are used in a fold: here "
            f"{times(outcome.tau)}. Every later answer is noisy.",
            f"A use is one rating of a person that goes into one prediction for somebody else. k = "
            f"{outcome.k} ratings go into a prediction.",
            screen.fold_sentence,
            f"The strategy is {name_of(outcome.strategy)}. "
            f"{STRATEGY_LOOKS[outcome.strategy].sentence}",
        ],
        data=f"{ratings.title}: {ratings.n_ratings:,} ratings of {ratings.n_users:,} users for "
        f"{ratings.n_items:,} items; {screen.folds_phrase}.",
        choice=f"{setting_words(outcome)}: {consequences(outcome, limits.baseline)}.",
        verdict=limits_verdict_sentence(current_choice(screen, decision), outcome.tau),
        limits=limits_in_words(limits) or ["No limit was stated."],
        consequences=_consequences(screen, outcome),
        alternatives=_alternatives(decision, outcome),
        exposed=_most_exposed(screen, outcome),
        promised=promises(outcome, screen.experiment.mechanism),
        not_promised=no_promises(outcome, screen.experiment.mechanism),
        note=note,
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        source=_source(screen, limits, url),
    )


def _consequences(screen: Screen, outcome: TauOutcome) -> list[str]:
    unprotected = screen.outcome("userknn", "none").value("mae")
    return [
        f"Predictions miss by {number(outcome.mae, 3)} points of the scale on average; with "
        f"UserKNN without protection it is {number(unprotected, 3)}.",
        f"In a fold, a person's real ratings are used {number(outcome.privacy_risk, 2)} times on "
        f"average, and {at_most(outcome.real_uses)}.",
        f"{percent(outcome.protected_uses)} of all uses are answered with noise.",
    ]


def _alternatives(decision: Decision, outcome: TauOutcome) -> list[str]:
    """Return the best of the other strategies, or why there is none, a sentence each."""
    sentences = []
    for strategy, best in decision.best_of_each_strategy().items():
        if best is None or best.outcome is None:
            mine = [c for c in decision.choices if c.candidate.strategy == strategy]
            reasons = binds_words([name for choice in mine for name in choice.binds])
            sentences.append(f"{name_of(strategy)}: no τ keeps to the limits ({reasons}).")
        elif not best.outcome.has_setting_of(outcome):
            words = consequences(best.outcome, decision.limits.baseline)
            sentences.append(f"{setting_words(best.outcome)}: {words}.")
    return sentences[:_MOST_ALTERNATIVES] or ["There is no other choice within the limits."]


def _most_exposed(screen: Screen, outcome: TauOutcome) -> list[str]:
    """Return how often the person used most is used; nobody is named."""
    setting = outcome.strategy, outcome.k
    usage = UsageDistribution(screen.results.usages(*setting))
    most_used = usage.landmarks(outcome.tau).most_used
    most = exposure_of(screen.experiment, *setting, most_used, screen.folds)
    never = usage.unused_share
    return [
        f"The person used most is used {times(most.uses)} in a fold: "
        f"{number(most.real(outcome.tau))} with the real rating, "
        f"{number(most.protected(outcome.tau))} with noise.",
        f"{percent(never)} of the people are never used. Their ratings are still read to find "
        "neighbors."
        if never
        else "Everybody is used in every fold.",
    ]


def promises(outcome: TauOutcome, mechanism: Mechanism) -> list[str]:
    """Return what is promised to a vulnerable person, odds first."""
    if outcome.protects_nobody:
        return ["Nothing: at this τ nobody is protected."]
    sentence = noisy_answer_sentence(mechanism)
    if NoisyAnswer.of(mechanism).hides is not Hides.BOUNDED:
        return [sentence]
    first = (
        "From the first use on"
        if outcome.tau == 0
        else f"From use {outcome.tau + 1:,} of a fold on"
    )
    many = "" if mechanism.memoised else " Many can reveal the rating."
    return [
        f"{first}, a quarter of the answers are drawn at random. A random answer can be true by "
        f"chance, so one noisy answer proves nothing.{many}",
        sentence,
    ]


def no_promises(outcome: TauOutcome, mechanism: Mechanism) -> list[str]:
    """Return what is not promised, and to whom."""
    return [
        *_of_the_answers(outcome, mechanism),
        NEIGHBORS_SENTENCE,
        "Whoever aims at one person can make that person a neighbor with fake accounts. Rare use "
        "does not protect from that.",
    ]


def _of_the_answers(outcome: TauOutcome, mechanism: Mechanism) -> list[str]:
    """Return which answers are real, and whether noisy ones add up."""
    if outcome.protects_nobody:
        return ["Every use of everybody is real."]
    sentences = []
    if outcome.tau > 0:
        are = agreeing(outcome.tau, "is", "are")
        sentences.append(
            f"The {first_uses(outcome.tau)} of everybody in a fold {are} real. So people who are "
            "used no more often are not protected at all. The paper calls them “secure”, "
            "because they are used rarely."
        )
    return [*sentences, *adding_up_sentences(mechanism)]


def _source(screen: Screen, limits: Limits, url: str) -> list[str]:
    experiment = screen.experiment
    words = ["python", "-m", "engine", "choose", *source_arguments(screen)]
    words += ["--k", *(str(k) for k in screen.results.ks(screen.k))]
    words += ["--strategies", *screen.strategies]
    for name, value in limits.stated.items():
        words += [f"--{name.replace('_', '-')}", LIMITS[name].text(value)]
    words += ["--baseline", limits.baseline, "--criterion", limits.criterion]
    words += ["--allow-unprotected"] if limits.allow_unprotected else []
    words += experiment_arguments(experiment)
    libraries = ", ".join(f"{name} {version(name.lower())}" for name in ("NumPy", "Numba"))
    return [
        shlex.join(words),
        f"{url}?{write_address(screen.view)}",
        f"fingerprint {experiment.ratings.fingerprint}, seed {experiment.seed}, engine version "
        f"{ENGINE_VERSION}, Python {platform.python_version()}, {libraries}",
    ]


def record_page(record: Record) -> str:
    """Return the record as a page of HTML that prints on one sheet of A4."""
    return render(_PAGE, title=record.title, record=record)


def record_markdown(record: Record) -> str:
    """Return the record as Markdown."""
    return render(_MARKDOWN, record=record)
