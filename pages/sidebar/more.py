"""Settings that are seldom changed: the noise of protected answers, the rules, and the seed."""

from __future__ import annotations

import streamlit as st

from engine.datasets import Ratings
from engine.input_checks import DEFAULT_SEED, LARGEST_SEED
from engine.predictions import PREDICTIONS
from engine.privacy import MECHANISMS
from engine.similarity import SIMILARITIES
from pages.parts import memory
from pages.parts.address import View
from pages.parts.address_values import DEFAULT_MECHANISM, known_similarities
from pages.parts.control import control_for
from pages.parts.runs.conditions import Conditions

_FRESH, _KEPT = "fresh", "memoised"


def draw_badge(view: View) -> None:
    """Draw a badge on a page if noise, rules, seed or queries are not the default."""
    if differences := Conditions.of(view).differences:
        st.badge(f"Not the default: {differences}", icon=":material/tune:", color="orange")


def draw_more(view: View, ratings: Ratings) -> None:
    """Draw the noise, the rules and the seed, folded away."""
    with st.expander("More", type="compact", icon=":material/tune:"):
        names = MECHANISMS if ratings.scale.levels is not None else ("continuous",)
        current = Conditions.of(view).name_for(ratings.scale)
        with control_for("choose_mechanism", current, *names) as mechanism:
            st.segmented_control(
                "Noise",
                names,
                default=mechanism.initial,
                key=mechanism.key,
                required=True,
                on_change=memory.take,
                args=("mechanism", mechanism.key, _mechanism),
                help="Discrete: a random answer is a value of the scale. Continuous: any number "
                "between its ends, as in the published code. On a scale with steps, such noise "
                "hides nothing.",
            )
        with control_for("choose_answers", _KEPT if view.memoised else _FRESH) as answers:
            st.segmented_control(
                "Protected answers",
                (_FRESH, _KEPT),
                default=answers.initial,
                key=answers.key,
                required=True,
                on_change=memory.take,
                args=("memoised", answers.key, _KEPT.__eq__),
                help="Fresh: new coins for every use; many answers about a rating give it away. "
                "Memoised: coins are thrown once for each rating, and the answer is kept.",
            )
        _draw_rules(view)
        with control_for("choose_seed", view.seed) as seed:
            st.number_input(
                "Seed",
                0,
                LARGEST_SEED,
                seed.initial,
                key=seed.key,
                on_change=memory.take,
                args=("seed", seed.key, _seed),
                help="The seed of all draws: the split into folds, ties, coins. With another "
                "one everything is computed anew.",
            )


def _draw_rules(view: View) -> None:
    """Draw the similarity and the prediction rule, each where there is more than one."""
    titles = {name: SIMILARITIES[name].title for name in known_similarities()}
    _draw_rule("Similarity", "similarity", view.similarity, titles)
    rules = {name: rule.title for name, rule in PREDICTIONS.items()}
    _draw_rule("Prediction", "prediction", view.prediction, rules)


def _draw_rule(label: str, part: str, now: str, titles: dict[str, str]) -> None:
    if len(titles) < 2:
        return
    with control_for(f"choose_{part}", now, *titles) as rule:
        st.selectbox(
            label,
            list(titles),
            index=list(titles).index(rule.initial),
            key=rule.key,
            on_change=memory.take,
            args=(part, rule.key),
            format_func=titles.__getitem__,
        )


def _mechanism(name: str) -> str:
    return "" if name == DEFAULT_MECHANISM else name


def _seed(seed: int | None) -> int:
    return DEFAULT_SEED if seed is None else seed
