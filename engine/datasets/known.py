"""The datasets of the paper and two more from the same sources: what they are, how to get them."""

from __future__ import annotations

from dataclasses import dataclass

GROUPLENS_LICENSE = "Research use; no redistribution without permission, no commercial use"

GROUPLENS_LATEST_LICENSE = (
    "Redistribution under the same conditions; no commercial use without permission"
)


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
            "Ask the authors of the paper, and save the movie ratings as douban.csv (user, item, "
            "rating) in the data folder.",
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
            "Upload the listening counts (user, item, count) on the Data page, and have ratings "
            "made of them there.",
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
            "Save the ratings as goodreads.csv (user, item, rating) in the data folder; the paper "
            "took a random sample of 20,000 users.",
        ),
    )
}
