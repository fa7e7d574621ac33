"""What the datasets of the paper and two more of their sources are, and how to get them."""

from __future__ import annotations

from dataclasses import dataclass

GROUPLENS_LICENSE = "Research use; no redistribution without permission, no commercial use"

GROUPLENS_LATEST_LICENSE = (
    "Redistribution under the same conditions; no commercial use without permission"
)


@dataclass(frozen=True)
class Preset:
    """How the paper made its ratings of a published file; see `load`.

    are_counts: the file counts how often someone listened, see `counts_to_ratings`.
    zero_is_unrated: a rating of 0 says that there is none.
    sample_users: this many users, drawn at random. The published code draws them without a seed:
        the paper's own sample cannot be drawn again.
    """

    are_counts: bool = False
    zero_is_unrated: bool = False
    sample_users: int | None = None


@dataclass(frozen=True)
class KnownDataset:
    """A published dataset with the figures it was published with."""

    name: str
    title: str
    users: int
    items: int
    ratings: int
    license: str
    citation: str
    origin: str | None
    how_to_get: str
    preset: Preset = Preset()


HARPER = (
    "F. M. Harper, J. A. Konstan: The MovieLens Datasets: History and Context. ACM TiiS 5(4), 2015."
)

KNOWN = {
    known.name: known
    for known in (
        KnownDataset(
            "ml-1m",
            "MovieLens 1M",
            6040,
            3706,
            1_000_209,
            GROUPLENS_LICENSE,
            HARPER,
            "https://grouplens.org/datasets/movielens/1m/",
            "Download ml-1m.zip from GroupLens and put it, as it is, into the data folder.",
        ),
        KnownDataset(
            "ml-100k",
            "MovieLens 100K",
            943,
            1682,
            100_000,
            GROUPLENS_LICENSE,
            HARPER,
            "https://grouplens.org/datasets/movielens/100k/",
            "Download ml-100k.zip from GroupLens and put it, as it is, into the data folder.",
        ),
        KnownDataset(
            "ml-latest-small",
            "MovieLens Latest Small",
            610,
            9724,
            100_836,
            GROUPLENS_LATEST_LICENSE,
            HARPER,
            "https://grouplens.org/datasets/movielens/latest/",
            "Download ml-latest-small.zip from GroupLens and put it, as it is, into the data "
            "folder.",
        ),
        KnownDataset(
            "ciao",
            "Ciao",
            7375,
            105_096,
            282_619,
            "Research use; ask its authors",
            "G. Guo, J. Zhang, D. Thalmann, N. Yorke-Smith: ETAF: An Extended Trust Antecedents "
            "Framework for Trust Prediction. ASONAM 2014.",
            "https://guoguibing.github.io/librec/datasets.html",
            "Save the movie ratings as ciao.csv (user, item, rating) in the data folder.",
        ),
        KnownDataset(
            "douban",
            "Douban",
            2509,
            39_576,
            893_575,
            "Research use; ask its authors",
            "L. Hu, A. Sun, Y. Liu: Your Neighbors Affect Your Ratings: On Geographical "
            "Neighborhood Influence to Rating Prediction. SIGIR 2014.",
            None,
            "Ask the authors of the paper. The paper had three parts: join db.train.rating, "
            "db.valid.rating and db.test.rating, in this order, to douban.tsv (user, item, rating) "
            "in the data folder.",
        ),
        KnownDataset(
            "lastfm",
            "LastFM User Groups",
            3000,
            352_805,
            1_755_361,
            "See its page",
            "D. Kowald, M. Schedl, E. Lex: The Unfairness of Popularity Bias in Music "
            "Recommendation: A Reproducibility Study. ECIR 2020.",
            "https://doi.org/10.5281/zenodo.3475975",
            "Save user_events.txt as lastfm.txt in the data folder. A file of this name is "
            "prepared as in the paper: events are counted for each user and artist, and the counts "
            "become ratings. A file of (user, item, count) is read, too.",
            Preset(are_counts=True),
        ),
        KnownDataset(
            "goodreads",
            "Goodreads",
            20_000,
            508_696,
            2_569_177,
            "Academic use only",
            "M. Wan, J. McAuley: Item Recommendation on Monotonic Behavior Chains. RecSys 2018.",
            "https://cseweb.ucsd.edu/~jmcauley/datasets/goodreads.html",
            "Save goodreads_interactions.csv as goodreads.csv in the data folder. A file of this "
            "name is prepared as in the paper: books without a rating (0) are left out, and 20,000 "
            "users are drawn at random. The paper's own draw had no seed, so that the counts of "
            "users, items and ratings are near its own, not equal.",
            Preset(zero_is_unrated=True, sample_users=20_000),
        ),
    )
}
