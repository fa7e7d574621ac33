"""What the tour and the glossary say is true: of the sample, of the engine, and of the pages."""

from __future__ import annotations

import math
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from engine.datasets import load
from engine.experiment import Experiment
from engine.exposure import Exposure, exposure_of
from engine.privacy import Mechanism, strict_epsilon
from engine.strategies import PAPER_STRATEGIES, STRATEGIES
from engine.usage_distribution import UsageDistribution
from pages.contents.learn.glossary import GLOSSARY, ON_PAGE, TERMS
from pages.contents.learn.tour import FACTS, TOUR, answer_of
from pages.contents.people.person import uses_in_results
from pages.parts.address import read_address
from pages.parts.frame import TITLES
from pages.parts.looks import name_of, shown_strategies
from pages.parts.runs.results import Results
from pages.parts.wording import number, percent
from tests.pages.driving import open_page

K = 10


@pytest.fixture(scope="module")
def sample(folders: object) -> Results:
    experiment = Experiment(load("sample"))
    experiment.run(("userknn", "expect"), (K,))
    done = {(fold, name, K) for fold in experiment.fold_numbers for name in PAPER_STRATEGIES}
    return Results(experiment).with_done(done)


def person(sample: Results, name: str, strategy: str) -> Exposure:
    return exposure_of(sample.experiment, strategy, K, code(sample, name))


def code(sample: Results, name: str) -> int:
    return int(np.flatnonzero(sample.experiment.ratings.users == name)[0])


def median(sample: Results, strategy: str) -> float:
    usages = np.concatenate(sample.usages(strategy, K))
    return float(np.quantile(usages, 0.5, method="lower"))


def tenth(sample: Results, strategy: str) -> float:
    return UsageDistribution(sample.usages(strategy, K)).share_of_uses(0.1)


def test_every_number_of_the_answers_is_that_of_the_sample(sample: Results):
    ratings = sample.experiment.ratings
    uses = uses_in_results(sample, "userknn", K, code(sample, "317"))
    top, near = (person(sample, name, "expect") for name in ("317", "88"))
    by_tau = {tau: sample.outcome("userknn", K, tau) for tau in (20, 100, 400)}
    none, full = (sample.outcome("userknn", K, 100, p).value("mae") for p in ("none", "full"))
    mechanism = sample.experiment.mechanism
    repeated = uses_in_results(sample, "expect", K, code(sample, "317"))
    unused = [(usage == 0).mean() for usage in sample.usages("expect", K)]
    facts = {
        "asked_by": number(np.unique(uses.asked_by).size),
        "others": number(ratings.n_users - 1),
        "queries": number(uses.item.size),
        "rated": number((ratings.user == code(sample, "317")).sum()),
        "used": number(np.unique(uses.item).size),
        **{f"vulnerable_{tau}": percent(by_tau[tau].value("vulnerable_share")) for tau in by_tau},
        **{f"risk_{tau}": number(by_tau[tau].value("privacy_risk")) for tau in by_tau},
        **{f"mae_{tau}": number(by_tau[tau].value("mae"), 3) for tau in by_tau},
        "mean_usage": number(float(np.mean(sample.usages("expect", K)))),
        "expect_vulnerable": percent(sample.outcome("expect", K, 100).value("vulnerable_share")),
        "half_userknn": number(median(sample, "userknn")),
        "half_expect": number(median(sample, "expect")),
        "unused_expect": percent(float(np.mean(unused))),
        "expect_mae": number(sample.outcome("expect", K, 100).value("mae"), 3),
        "mae_none": number(none, 3),
        "mae_full": number(full, 3),
        "rise": percent(full / none - 1),
        "real_answers": percent(3 / 4 + 1 / (4 * mechanism.levels.size)),
        "top_userknn": number(person(sample, "317", "userknn").uses),
        "top_expect": number(top.uses),
        "tenth_userknn": percent(tenth(sample, "userknn")),
        "tenth_expect": percent(tenth(sample, "expect")),
        "top_protected": percent(top.protected_share(100)),
        "top_risk": number(top.risk(100)),
        "near_expect": number(near.uses),
        "near_userknn": number(person(sample, "88", "userknn").uses),
        "near_protected": percent(near.protected_share(100)),
        "near_epsilon": f"{near.epsilon(100):.2f}",
        "strict_epsilon": f"{strict_epsilon(mechanism):.2f}",
        "repeats": number(repeated.counts(repeated.item, 100)[2].max()),
    }
    assert facts == FACTS


def test_what_the_questions_say_is_true_of_the_sample(sample: Results):
    # 1: nothing is protected; 3: both have as many uses; 5 and 6: who is vulnerable with what.
    assert sample.outcome("userknn", K, TOUR[0].tau).value("vulnerable_share") == 0
    uses = [[usage.sum() for usage in sample.usages(s, K)] for s in ("userknn", "expect")]
    assert uses[0] == uses[1]
    assert sample.outcome("userknn", K, 100).value("vulnerable_share") > 0.5
    assert person(sample, "88", "userknn").vulnerable_folds(100) == 0
    assert person(sample, "88", "expect").vulnerable_folds(100) == 5
    assert sample.usages("expect", K)[0].argmax() == code(sample, "317")
    outcomes = [sample.outcome("userknn", K, tau) for tau in (20, 100, 400)]
    assert [outcome.value("vulnerable_share") for outcome in outcomes] == sorted(
        (outcome.value("vulnerable_share") for outcome in outcomes), reverse=True
    )
    assert [outcome.value("mae") for outcome in outcomes] == sorted(
        (outcome.value("mae") for outcome in outcomes), reverse=True
    )
    assert [outcome.value("privacy_risk") for outcome in outcomes] == sorted(
        outcome.value("privacy_risk") for outcome in outcomes
    )


def test_all_numbers_of_the_answers_stand_among_the_facts():
    # What is left are settings of the step, the scale and the first τ uses.
    for step in TOUR:
        rest = re.sub(r"{\w+}", "", step.answer)
        assert set(re.findall(r"\d+", rest)) <= {"20", "100", "400", "317", "88"}, step.title
        assert "{" not in answer_of(step)
    used = {name for step in TOUR for name in re.findall(r"{(\w+)}", step.answer)}
    assert used == set(FACTS)


def test_the_links_are_addresses_of_views_that_fit():
    assert len(TOUR) == 6
    for step in TOUR:
        page, _, query = step.link.partition("?")
        assert page in TITLES
        asked = dict(parse_qsl(query, keep_blank_values=True))
        view, notes = read_address(asked, ["sample"])
        assert not notes
        assert (view.dataset, view.k, view.strategy, view.tau) == (
            "sample",
            step.k,
            step.strategy,
            step.tau,
        )
        assert asked.get("user", "") == step.user


def test_the_glossary_has_the_words_of_the_paper():
    names = [term.name for group in GLOSSARY.values() for term in group]
    assert len(names) == len(set(names))
    for word in (
        "Rating query", "Neighbor", "Data usage", "Threshold τ", "Secure user", "Vulnerable user",
        "Privacy risk", "Reusability", "Expect", "Gain", "+Reuse", "Differential privacy (DP)",
        "Randomized response", "ε of the paper", "ε, strictly", "MAE", "PP-Corr", "Coverage",
        "Neighbors@q", "CoRatings@q", "Fold", "UserKNN",
    ):  # fmt: skip
        assert word in TERMS
    assert set(ON_PAGE) <= set(TITLES.values())
    for terms in ON_PAGE.values():
        assert set(terms) <= set(TERMS)
    for term in TERMS.values():
        assert len(term.sentence) < 200, term.name
        assert term.sentence.endswith(".")


def test_every_section_and_term_has_an_address_of_its_own(folders: object):
    app = open_page("learn", dataset="small")
    anchors = [heading.proto.anchor for heading in (*app.header, *app.subheader)]
    anchors = [anchor for anchor in anchors if anchor]
    assert len(set(anchors)) == len(anchors)
    sections = {"tour", "lesson", "glossary", *(f"step-{n + 1}" for n in range(len(TOUR)))}
    assert {*sections, *(term.anchor for term in TERMS.values())} == set(anchors)


def test_the_glossary_says_what_the_engine_does(sample: Results):
    for m in (5, 10):
        mechanism = Mechanism("discrete", False, 1.0, float(m), np.arange(1.0, m + 1))
        assert strict_epsilon(mechanism) == pytest.approx(math.log(1 + 3 * m))
        # Strictly: how much likelier the real value is as an answer than any other.
        real, other = 3 / 4 + 1 / (4 * m), 1 / (4 * m)
        assert math.exp(strict_epsilon(mechanism)) == pytest.approx(real / other)
    # Every use protected: ln 3. Full DP is τ = 0.
    assert Exposure(np.array([7])).epsilon(0) == pytest.approx(math.log(3))
    assert sample.outcome("userknn", K, 0).value("mae") == sample.outcome(
        "userknn", K, 55, "full"
    ).value("mae")
    # The more uses are protected, the smaller the paper's epsilon.
    assert Exposure(np.array([300])).epsilon(100) < Exposure(np.array([101])).epsilon(100)
    assert {name_of(name) for name in PAPER_STRATEGIES} <= {
        "UserKNN",
        "UserKNN+Reuse",
        "Expect",
        "Gain",
    }
    for name in shown_strategies():
        assert STRATEGIES[name].reuse == name.endswith("+reuse")
    # Every rating is asked for once, and a fold is a fifth.
    experiment = sample.experiment
    asked = sum(experiment.fold(fold).n_queries for fold in experiment.fold_numbers)
    assert asked == experiment.ratings.n_ratings
    assert experiment.fold(0).n_queries == experiment.ratings.n_ratings / 5
