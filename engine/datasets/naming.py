"""The names that people give to the columns of user, item and rating."""

from __future__ import annotations

import re
from collections.abc import Sequence

ROLES = ("user", "item", "rating")
# The best come first: a movieId is a better item than a title beside it.
NAMES: dict[str, tuple[str, ...]] = {
    "user": (
        *("userid", "user", "uid", "userno", "usernumber", "useridx", "userindex", "usercode"),
        *("customerid", "customer", "reviewerid", "reviewer", "memberid", "member", "readerid"),
        *("reader", "listenerid", "listener", "viewerid", "viewer", "playerid", "player"),
        *("personid", "person", "visitorid", "visitor", "accountid", "account", "raterid", "rater"),
        *("buyerid", "buyer", "profileid", "username", "usermboxsha1", "reviewername", "u"),
    ),
    "item": (
        *("itemid", "item", "iid", "itemno", "itemidx", "itemindex", "itemcode"),
        *("movieid", "movie", "mid", "filmid", "film", "productid", "product", "pid", "asin"),
        *("parentasin", "bookid", "book", "isbn", "artistid", "artist", "songid", "song"),
        *("trackid", "track", "albumid", "album", "jokeid", "joke", "animeid", "anime", "mangaid"),
        *("gameid", "game", "appid", "businessid", "business", "restaurantid", "restaurant"),
        *("recipeid", "recipe", "beerid", "beer", "placeid", "place", "venueid", "venue"),
        *("locationid", "showid", "show", "seriesid", "articleid", "article", "newsid", "courseid"),
        *("course", "podcastid", "sku", "musicbrainzartistid", "artistmbid", "artmbid", "itemname"),
        *("movietitle", "booktitle", "moviename", "productname", "artistname", "artname"),
        *("trackname", "title", "i"),
    ),
    "rating": (
        *("rating", "ratings", "ratingvalue", "userrating", "bookrating", "movierating"),
        *("reviewrating", "ratingscore", "score", "scores", "userscore", "reviewscore"),
        *("stars", "star", "starrating", "overall", "grade", "mark", "vote", "points", "value"),
        *("preference", "pref", "rate", "playcount", "playcounts", "plays", "listens"),
        *("listencount", "listeningcount", "timesplayed", "numplays", "nplays", "frequency"),
        *("freq", "views", "clicks", "visits", "purchases", "quantity", "qty", "count"),
        *("counts", "weight", "r"),
    ),
    "timestamp": (
        *("timestamp", "time", "ts", "t", "date", "datetime", "ratingtimestamp", "ratingtime"),
        *("ratingdate", "unixtime", "unixtimestamp", "unixreviewtime", "reviewtime", "reviewdate"),
        *("createdat", "created", "dateadded", "year"),
    ),
}
COUNT_NAMES = (
    *("playcount", "playcounts", "plays", "listens", "listencount", "listeningcount"),
    *("timesplayed", "numplays", "nplays", "frequency", "freq"),
    *("views", "clicks", "visits", "purchases", "quantity", "qty", "count", "counts"),
)


def bare(name: str) -> str:
    """Return a column name in small letters, without spaces, punctuation and brackets.

    RecBole's ``:token`` goes, too. So does the ``.1`` by which pandas tells equal names apart.

    >>> bare("User_ID:token"), bare("Book-Rating"), bare("# movieId")
    ('userid', 'bookrating', 'movieid')
    >>> bare("Rating (1-5)"), bare("rating.1"), bare("(1)")
    ('rating', 'rating', '1')
    """
    name = re.sub(r":(token|float|token_seq|float_seq)$", "", name.strip().lower())
    name = re.sub(r"(?<=\w)(\.\d+|\s*[(\[][^)\]]*[)\]])$", "", name)
    return re.sub(r"[\W_]+", "", name)


def named_columns(header: Sequence[str]) -> dict[str, list[int]]:
    """Return the columns of each role that a header names, the best name first.

    >>> named_columns(["Title", "stars", "movieId", "when", "uid"])
    {'user': [4], 'item': [2, 0], 'rating': [1]}
    """
    names = [bare(name) for name in header]
    columns = {}
    for role, known in NAMES.items():
        fitting = [column for name in known for column in _places(names, name)]
        if fitting:
            columns[role] = fitting
    return columns


def _places(names: Sequence[str], name: str) -> list[int]:
    return [column for column, other in enumerate(names) if other == name]


def rivals(header: Sequence[str], column: int, others: Sequence[int]) -> list[int]:
    """Return which other columns have a name for the same role and another meaning.

    The id and the title of a movie mean the same; an artist and a track do not.

    >>> rivals(["movieId", "title", "artist", "movie_name"], 0, [1, 2, 3])
    [2]
    """
    taken = _meaning(bare(header[column]))
    meanings = {other: _meaning(bare(header[other])) for other in others}
    return [
        other
        for other, meaning in meanings.items()
        if meaning and meaning not in taken and taken not in meaning
    ]


def _meaning(name: str) -> str:
    """Return what a name speaks of, as "movie" of "movieid"; nothing if it only describes."""
    if name.endswith(("name", "title")):
        return ""
    return re.sub(r"(id|no|number|idx|index|code|mboxsha1)$", "", name) or name
