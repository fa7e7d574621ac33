"""Generated ratings that look like real ones, so that everything runs without a download."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engine.datasets.ratings import LoadReport, Ratings, Scale
from engine.errors import InputError

TITLE = "Sample: generated movie ratings"

MIN_ACTIVITY = 20  # as in the MovieLens sets
MAX_SHARE_OF_ITEMS = 0.42  # of the catalog that the most active user rates
STAR_SHARES = (0.06, 0.11, 0.27, 0.34, 0.21)  # of MovieLens 100K, whose sum is rounded: 0.99
TASTES = 8

ADJECTIVES = (
    "Quiet Crimson Hidden Broken Golden Silent Distant Frozen Burning Gentle Hollow Restless "
    "Paper Velvet Wandering Silver Midnight Forgotten Electric Second Northern Bitter Painted "
    "Lonely Borrowed Secret Wild Endless Stolen Amber Fading Clever Iron Lucky Savage Tender "
    "Vanishing Weary Crooked Bright Patient Hungry Marble Rising Sleeping Tangled Velveteen "
    "Winter Young Curious"
).split()
NOUNS = (
    "Harbor River Orchard Letter Garden Lighthouse Road Winter Piano Stranger Mountain Summer "
    "Island Clockmaker Bridge Sparrow Kingdom Carnival Detective Window Harvest Station Mirror "
    "Sailor Forest Promise Engine Library Shadow Dancer Valley Lantern Gambler Horizon Cathedral "
    "Recipe Thief Meadow Comet Neighbor Voyage Puzzle Attic Balloon Violin Desert Tailor Storm "
    "Beekeeper Theater"
).split()


def generate(users: int = 943, items: int = 1700, ratings: int = 100_000, seed: int = 7) -> Ratings:
    """Ratings of 1 to 5 stars from a low-rank taste model; the same for the same arguments.

    A user u has a mixture of tastes T_u, an activity n_u (log-normal above 20) and a mean m_u;
    an item i has a mixture of tastes T_i, a popularity p_i and a quality q_i that grows with it.
    u rates the n_u items with the largest ``log p_i + a T_u.T_i + Gumbel noise``, which draws
    them without replacement in proportion to ``p_i exp(a T_u.T_i)``. How u likes i is
    ``m_u + q_i + b T_u.T_i + noise``; cut into the star shares of MovieLens 100K, it is the rating.

    Raises:
        InputError: fewer than 20 ratings per user, or more than the items can give.

    >>> sample = generate(users=50, items=200, ratings=2_000)
    >>> sample.n_users, sample.n_ratings, sample.scale.step
    (50, 2000, 1.0)
    >>> sample.item_titles[0] == generate(50, 200, 2_000).item_titles[0]
    True
    """
    largest = int(MAX_SHARE_OF_ITEMS * items)
    if min(users, items) < 1 or not MIN_ACTIVITY * users <= ratings <= 0.5 * largest * users:
        raise InputError(
            f"{users} users need between {MIN_ACTIVITY * max(users, 0)} and "
            f"{max(0, int(0.5 * largest * users))} ratings of {items} items, not {ratings}."
        )
    # RandomState's stream never changes between NumPy versions, a Generator's may.
    random = np.random.RandomState(seed)
    activity = _activity(random, users, ratings, largest)
    user_tastes = random.dirichlet(np.full(TASTES, 0.3), users)
    item_tastes = random.dirichlet(np.full(TASTES, 0.3), items)
    fame = random.normal(size=items)
    quality = 0.35 * fame + 0.45 * random.normal(size=items)
    user_means = 0.45 * random.normal(size=users)

    item = np.empty(ratings, dtype=np.int32)
    liking = np.empty(ratings)
    ends = np.cumsum(activity)
    for u, (end, count) in enumerate(zip(ends, activity, strict=True)):
        affinity = item_tastes @ user_tastes[u]
        score = 1.6 * fame + 3.0 * affinity + random.gumbel(size=items)
        chosen = np.argsort(-score, kind="stable")[:count]
        item[end - count : end] = chosen
        liking[end - count : end] = user_means[u] + quality[chosen] + 2.5 * affinity[chosen]
    liking += 0.8 * random.normal(size=ratings)
    cuts = np.quantile(liking, np.cumsum(STAR_SHARES)[:-1] / sum(STAR_SHARES))
    order = random.permutation(ratings)
    return Ratings.from_codes(
        [str(number) for number in range(1, users + 1)],
        np.repeat(np.arange(users, dtype=np.int32), activity)[order],
        [str(number) for number in range(1, items + 1)],
        item[order],
        1.0 + np.searchsorted(cuts, liking[order]),
        name="sample",
        title=TITLE,
        scale=Scale(1.0, 5.0, 1.0),
        report=LoadReport(notes=("These ratings were generated, nobody gave them.",)),
        item_titles=make_titles(items),
    )


@lru_cache(maxsize=1)
def built_in() -> Ratings:
    """The built-in sample: `generate` with its defaults, made once per process."""
    return generate()


def _activity(random: np.random.RandomState, users: int, ratings: int, largest: int) -> np.ndarray:
    """How many items each user rates: at least 20, log-normal above, in sum ``ratings``."""
    share = np.exp(1.15 * random.normal(size=users))
    spare, room = ratings - MIN_ACTIVITY * users, largest - MIN_ACTIVITY
    # What the most active have above the largest activity goes to the others, a few times over.
    for _ in range(50):
        share = np.minimum(share * spare / share.sum(), room)
    activity = MIN_ACTIVITY + np.floor(share).astype(np.int64)
    missing = ratings - int(activity.sum())
    activity[np.argsort(activity, kind="stable")[:missing]] += 1
    return activity


def make_titles(count: int) -> list[str]:
    """Made-up, distinct movie titles; the first are the same for every count.

    >>> make_titles(2)
    ['The Quiet Harbor (1950)', 'The Amber Sailor (1987)']
    """
    pairs = len(ADJECTIVES) * len(NOUNS)
    titles = []
    for number in range(count):
        sequel, place = divmod(number, pairs)
        # A step without common divisor visits every pair once, in no visible order.
        adjective, noun = divmod(place * 1473 % pairs, len(NOUNS))
        part = f" {sequel + 1}" if sequel else ""
        year = 1950 + number * 37 % 70
        titles.append(f"The {ADJECTIVES[adjective]} {NOUNS[noun]}{part} ({year})")
    return titles
