"""A guided tour in six steps over the pages, on the sample: questions, hints, answers, links.

The numbers in the answers stand in `FACTS`, where a test finds and recomputes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from pages.parts.address import View, write_address

#: What the answers say about the sample, at k = 10. Each is recomputed by a test.
FACTS: Final = {
    "asked_by": "661",
    "others": "942",
    "queries": "9,631",
    "rated": "600",
    "used": "596",
    "vulnerable_20": "99 %",
    "vulnerable_100": "74 %",
    "vulnerable_400": "9.7 %",
    "risk_20": "19.9",
    "risk_100": "90.3",
    "risk_400": "190",
    "mae_20": "0.852",
    "mae_100": "0.841",
    "mae_400": "0.827",
    "mean_usage": "208",
    "expect_vulnerable": "22 %",
    "half_userknn": "166",
    "half_expect": "8",
    "unused_expect": "19 %",
    "expect_mae": "0.824",
    "mae_none": "0.827",
    "mae_full": "0.855",
    "rise": "3.4 %",
    "real_answers": "80 %",
    "top_userknn": "1,926",
    "top_expect": "7,178",
    "tenth_userknn": "28 %",
    "tenth_expect": "79 %",
    "top_protected": "99 %",
    "top_risk": "100",
    "near_expect": "125",
    "near_userknn": "33",
    "near_protected": "20 %",
    "near_epsilon": "4.02",
    "strict_epsilon": "2.77",
    "repeats": "171",
}


@dataclass(frozen=True)
class TourStep:
    """A step of the tour: a question about a page, and the settings that show it."""

    title: str
    page: str
    strategy: str
    tau: float
    question: str
    hint: str
    answer: str
    user: str = ""
    k: int = 10

    @property
    def link(self) -> str:
        """The address of the page with these settings, relative to the page of the tour.

        >>> TOUR[1].link
        'data_usage?dataset=sample&k=10&tau=100&strategy=userknn'
        """
        query = write_address(View("sample", self.k, self.strategy, self.tau), self.tau)
        user = f"&{urlencode({'user': self.user})}" if self.user else ""
        return f"{self.page}?{query}{user}"


TOUR: Final = (
    TourStep(
        "What does a neighbor reveal?",
        "people",
        "userknn",
        2500,
        "User 317 rated 600 movies of the sample. With UserKNN and τ = 2,500 nobody is protected. "
        "For how many people are ratings predicted from those of user 317, and how many of the "
        "600 ratings are used?",
        "Look below the figures, at “Used for whom, and for what”.",
        "For **{asked_by} of the other {others} users**, in {queries} answers, and **{used} of the "
        "{rated} ratings** are used, all as they really are. An answer is a weighted mean of the "
        "neighbors' ratings. Whoever knows the weights and the other neighbors' ratings can work "
        "out the missing one. In the paper's attack somebody shapes a profile so that the victim "
        "becomes a neighbor, and asks.",
        user="317",
    ),
    TourStep(
        "What does τ do?",
        "data_usage",
        "userknn",
        100,
        "At τ = 100 most users are vulnerable. Move τ to 20, and then to 400. What happens to the "
        "share of vulnerable users and to the privacy risk, and on the page Trade-off to the "
        "error?",
        "Type the number into the field “Threshold τ”. Changing the page keeps it.",
        "Vulnerable are **{vulnerable_20}, {vulnerable_100} and {vulnerable_400}** of the users "
        "at τ = 20, 100 and 400. The mean privacy risk grows: {risk_20}, {risk_100}, {risk_400}. "
        "The error of UserKNN with DP shrinks: {mae_20}, {mae_100}, {mae_400}. A small τ hides "
        "more and answers worse. No number settles which is right: somebody has to decide.",
    ),
    TourStep(
        "What does a strategy do?",
        "data_usage",
        "expect",
        100,
        "Expect takes neighbors who can serve many queries. Do fewer uses happen than with "
        "UserKNN, or do they fall on fewer people?",
        "Every query has its k neighbors, whatever the strategy. Compare the two histograms.",
        "There are as many uses: {mean_usage} per user on average with both. They fall on fewer "
        "people: half of the users are used at most **{half_expect} times** with Expect, "
        "**{half_userknn} times** with UserKNN, and {unused_expect} are never used. So "
        "**{expect_vulnerable}** of the users are vulnerable instead of {vulnerable_100}. Here "
        "even the error with DP is lower: {expect_mae} against {mae_100}.",
    ),
    TourStep(
        "What does randomized response do to the error?",
        "tradeoff",
        "userknn",
        0,
        "At τ = 0 every use is protected, and a quarter of the answers are random ratings. Does "
        "the error grow by a quarter?",
        "Compare UserKNN without DP and UserKNN full DP. What if the random rating happens to be "
        "the real one? And how many neighbors make one answer?",
        "No: from {mae_none} to {mae_full}, by **{rise}**. On a scale of five stars a random "
        "rating is the real one in a fifth of the cases, so {real_answers} of the answers are the "
        "real rating, and the mean of ten neighbors evens out much of the rest. The noise also "
        "protects no more than that: see the last step.",
    ),
    TourStep(
        "Who carries the load?",
        "people",
        "expect",
        100,
        "Expect has far fewer vulnerable users. What does that mean for user 317?",
        "Look at the bars of all strategies. The page Data usage says who carries the load.",
        "User 317 is used **{top_expect} times per fold instead of {top_userknn}**. The tenth of "
        "the users who are used most carry {tenth_expect} of all uses with Expect, {tenth_userknn} "
        "with UserKNN. The privacy risk of user 317 stays at τ, {top_risk}, because "
        "{top_protected} of the uses are protected. What spares many is put on few, and these "
        "few depend on the protection.",
        user="317",
    ),
    TourStep(
        "What is not promised?",
        "people",
        "expect",
        100,
        "User 88 is vulnerable with Expect, but was not with UserKNN. What is user 88 promised? "
        "And what is user 317 promised, who is used far more often?",
        "Read “What protection promises this user” for both.",
        "User 88 is used {near_expect} times per fold instead of {near_userknn}, and "
        "**{near_protected} of these uses are protected**: the first 100 of a fold are not, at "
        "all. The paper's ε is {near_epsilon} for user 88. Strictly, one protected answer has "
        "ε = {strict_epsilon}: the real rating in {real_answers} of the cases. Answers about the "
        "same rating add up, and one rating of user 317 is answered {repeats} times with "
        "protection. And who becomes a neighbor is always decided from the real ratings.",
        user="88",
    ),
)


def answer_of(step: TourStep) -> str:
    """Return the answer with its numbers."""
    return step.answer.format_map(FACTS)
