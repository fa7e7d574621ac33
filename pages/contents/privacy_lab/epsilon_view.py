"""The tab on ε: the sections of both accounts."""

from __future__ import annotations

from engine.composition import DELTA, strict_account
from engine.settings import Setting
from pages.contents.privacy_lab.epsilon import (
    Accounts,
    odds_sentence,
    paper_sentence,
    paper_title,
    strict_sentence,
    strict_title,
    unprotected_sentence,
)
from pages.contents.privacy_lab.epsilon_figures import (
    composition_table,
    make_paper_figure,
    make_strict_figure,
    most_answers_table,
    paper_table,
)
from pages.parts.drawing.page import draw_sections
from pages.parts.formulas import FORMULAS
from pages.parts.looks import name_of
from pages.parts.screen import Screen
from pages.parts.sections import Exhibit, Section
from pages.parts.wording import exactly


def draw_epsilon(screen: Screen) -> None:
    """Draw what ε means for the settings on the screen."""
    draw_sections(epsilon_sections(screen, accounts_of(screen)), screen)


def accounts_of(screen: Screen) -> Accounts:
    """Return both accounts of all users in the first finished fold."""
    experiment, fold = screen.experiment, screen.folds[0]
    strategy, k, tau = screen.strategy, screen.k, screen.tau
    strict = screen.results.remembered(
        ("strict account", fold, strategy, k, tau),
        lambda: strict_account(experiment, fold, Setting(strategy, k, tau)),
    )
    return Accounts(experiment.usage(fold, strategy, k), tau, experiment.mechanism, strict)


def epsilon_sections(screen: Screen, accounts: Accounts) -> list[Section]:
    """Return what one answer promises, what many do, and the paper's number."""
    settings = (
        f"{screen.title}, fold {screen.folds[0] + 1}, "
        f"{name_of(screen.strategy)}, k = {screen.k}, τ = {exactly(screen.tau)}."
    )
    if accounts.mechanism.levels.size == 1:
        return [Section(heading="One answer", finding=[odds_sentence(accounts.mechanism)])]
    return [
        Section(
            heading="One answer",
            finding=[odds_sentence(accounts.mechanism), unprotected_sentence(accounts)],
        ),
        Section(
            heading="Many answers about the same rating",
            finding=[strict_sentence(accounts)],
            exhibits=[
                *_strict_exhibits(accounts, settings),
                Exhibit(
                    name="lab-composition",
                    alt="Epsilon of several answers about one rating",
                    title="What several answers about one rating reveal together",
                    table=composition_table(accounts.mechanism),
                    formula=FORMULAS["epsilon_strict"],
                    caption="Optimal composition may fail with a probability of 1 in "
                    f"{round(1 / DELTA):,}.",
                ),
            ],
        ),
        Section(
            heading="The ε of the paper",
            finding=[paper_sentence(accounts)],
            exhibits=_paper_exhibits(accounts, settings),
        ),
    ]


def _strict_exhibits(accounts: Accounts, settings: str) -> list[Exhibit]:
    if not accounts.strict.most_answers.any():
        return []
    return [
        Exhibit(
            name="lab-answers-per-rating",
            alt="How many users have a rating with each number of protected answers",
            title=strict_title(accounts),
            table=most_answers_table(accounts),
            figure=make_strict_figure(accounts),
            caption=f"{settings} This counts ratings with noise in each of their answers, as if "
            "somebody saw every answer of a neighbor. A prediction shows only a mean of them.",
        )
    ]


def _paper_exhibits(accounts: Accounts, settings: str) -> list[Exhibit]:
    if not accounts.vulnerable.any():
        return []
    return [
        Exhibit(
            name="lab-paper-epsilon",
            alt="The epsilon of the paper against the data usage",
            title=paper_title(accounts),
            table=paper_table(accounts),
            figure=make_paper_figure(accounts),
            formula=FORMULAS["epsilon_paper"],
            caption=settings,
        )
    ]
