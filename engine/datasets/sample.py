"""Generated ratings that look like real ones: nothing needs a download to run."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engine.datasets.ratings import Ratings
from engine.datasets.report import LoadReport
from engine.datasets.scale import Scale
from engine.errors import InputError

TITLE = "Sample: generated movie ratings"

MIN_ACTIVITY = 20  # as in the MovieLens sets
MAX_SHARE_OF_ITEMS = 0.42  # of the catalog that the most active user rates
STAR_SHARES = (0.06, 0.11, 0.27, 0.34, 0.21)  # of MovieLens 100K, whose sum is rounded: 0.99
TASTES = 5
SIGMA = 1.25  # of the logarithm of the activity
SPREAD = 0.25  # of the logarithm of how far apart a user's ratings lie

ADJECTIVES = (
    "Quiet Crimson Hidden Broken Golden Silent Distant Frozen Burning Gentle Hollow Restless "
    "Paper Velvet Wandering Silver Midnight Forgotten Electric Second Northern Bitter Painted "
    "Lonely Borrowed Secret Wild Endless Stolen Amber Fading Clever Iron Lucky Savage Tender "
    "Vanishing Weary Crooked Bright Patient Hungry Marble Rising Sleeping Tangled Sunken "
    "Wooden Young Curious"
)
NOUNS = (
    "Harbor River Orchard Letter Garden Lighthouse Road Winter Piano Stranger Mountain Summer "
    "Island Clockmaker Bridge Sparrow Kingdom Carnival Detective Window Harvest Station Mirror "
    "Sailor Forest Promise Engine Library Shadow Dancer Valley Lantern Gambler Horizon Cathedral "
    "Recipe Thief Meadow Comet Neighbor Voyage Puzzle Attic Balloon Violin Desert Tailor Storm "
    "Beekeeper Theater"
)


def generate(users: int = 943, items: int = 1700, ratings: int = 100_000, seed: int = 7) -> Ratings:
    """Return ratings of 1 to 5 stars from a low-rank taste model, equal for equal arguments.

    A user u has a mixture of tastes T_u, an activity n_u (log-normal above 20) and a mean m_u;
    an item i has a mixture of tastes T_i, a popularity p_i and a quality q_i that grows with it.
    u rates the n_u items with the largest ``log p_i + a T_u.T_i + Gumbel noise``, which draws
    them without replacement in proportion to ``p_i exp(a T_u.T_i)``. How u likes i is
    ``m_u + q_i + b T_u.T_i + noise``; cut into the star shares of MovieLens 100K, it is the rating.

    Raises:
        InputError: the ratings are fewer than the users, or more than half of all possible ones.

    >>> sample = generate(users=50, items=200, ratings=2_000)
    >>> sample.n_users, sample.n_ratings, sample.scale.step
    (50, 2000, 1.0)
    >>> sample.item_titles[0] == generate(50, 200, 2_000).item_titles[0]
    True
    """
    if min(users, items) < 1 or not users <= ratings <= users * items // 2:
        raise InputError(
            f"{users} users and {items} items can be generated with {max(users, 0)} to "
            f"{max(users * items // 2, 0)} ratings, not {ratings}."
        )
    # RandomState's stream never changes between NumPy versions, a Generator's may.
    random = np.random.RandomState(seed)
    activity = _activity(random, users, items, ratings)
    user = np.repeat(np.arange(users, dtype=np.int32), activity)
    user_tastes = random.dirichlet(np.full(TASTES, 0.3), users)
    item_tastes = random.dirichlet(np.full(TASTES, 0.3), items)
    fame = np.sqrt(12) * (random.uniform(size=items) - 0.5) + 0.5 * random.normal(size=items)
    weight = np.logaddexp(1.75 * fame, -2.5)  # even the least known is found by a few

    item = np.empty(ratings, dtype=np.int32)
    for u, (end, count) in enumerate(zip(np.cumsum(activity), activity, strict=True)):
        pull = weight + 4.0 * (item_tastes @ user_tastes[u]) + random.gumbel(size=items)
        item[end - count : end] = np.sort(np.argpartition(pull, items - count)[items - count :])
    _rate_every_item(random, item, items)

    quality = 0.35 * fame + 0.3 * random.normal(size=items)
    # Active users rate with more care: nearer to the common mean, and more consistently.
    haste = np.sqrt(activity.min() / activity)
    user_means = 0.45 * (0.5 + haste) * random.normal(size=users)
    noise = (0.5 + 0.9 * haste)[user] * random.normal(size=ratings)
    affinity = sum(user_tastes[user, t] * item_tastes[item, t] for t in range(TASTES))
    # Some spread their ratings over the whole scale, others give nearly always the same.
    spread = np.exp(SPREAD * random.normal(size=users))
    opinion = quality[item] + 4.0 * affinity + noise
    liking = user_means[user] + spread[user] * (opinion - opinion.mean())
    cuts = np.quantile(liking, np.cumsum(STAR_SHARES)[:-1] / sum(STAR_SHARES))
    order = random.permutation(ratings)
    return Ratings.from_codes(
        [str(number) for number in range(1, users + 1)],
        user[order],
        [str(number) for number in range(1, items + 1)],
        item[order],
        1.0 + np.searchsorted(cuts, liking[order]),
        name="sample",
        title=TITLE,
        scale=Scale(1.0, 5.0, 1.0),
        report=LoadReport(notes=("These ratings were generated, nobody gave them.",)),
        item_titles=make_titles(items),
    )


def _rate_every_item(random: np.random.RandomState, item: np.ndarray, items: int) -> None:
    """Give each item that nobody chose the place of a rating of a well-known one."""
    counts = np.bincount(item, minlength=items)
    nobody = np.flatnonzero(counts == 0)
    places = random.permutation(np.flatnonzero(counts[item] > 10))[: len(nobody)]
    item[places] = nobody[: len(places)]


@lru_cache(maxsize=1)
def built_in() -> Ratings:
    """Return the built-in sample: `generate` with its defaults, made once per process."""
    return generate()


def _activity(random: np.random.RandomState, users: int, items: int, ratings: int) -> np.ndarray:
    """Return how many items each user rates: at least 20, log-normal above, in sum ``ratings``."""
    mean = ratings / users
    least = max(1, min(MIN_ACTIVITY, int(0.8 * mean)))
    largest = min(items, max(MAX_SHARE_OF_ITEMS * items, 3 * mean))
    share = np.exp(SIGMA * random.normal(size=users))
    # Each user has an own ceiling, so that the most active do not all rate equally many.
    room = (largest - least) * (1 - 0.3 * random.uniform(size=users))
    # Ratings above the ceiling go to the others, in a few rounds.
    for _ in range(50):
        share = np.minimum(share * (ratings - least * users) / max(share.sum(), 1e-9), room)
    activity = least + np.floor(share).astype(np.int64)
    while (missing := ratings - int(activity.sum())) > 0:
        activity[np.argsort(activity, kind="stable")[:missing]] += 1
    return activity


def make_titles(count: int) -> list[str]:
    """Return made-up, distinct movie titles; the first are the same for every count.

    >>> make_titles(2)
    ['The Quiet Harbor (1950)', 'The Amber Sailor (1987)']
    """
    adjectives, nouns = ADJECTIVES.split(), NOUNS.split()
    pairs = len(adjectives) * len(nouns)
    titles = []
    for number in range(count):
        sequel, place = divmod(number, pairs)
        # A step without a common divisor visits every pair once, in no visible order.
        adjective, noun = divmod(place * 1473 % pairs, len(nouns))
        part = f" {sequel + 1}" if sequel else ""
        year = 1950 + number * 37 % 70
        titles.append(f"The {adjectives[adjective]} {nouns[noun]}{part} ({year})")
    return titles
