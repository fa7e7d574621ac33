"""Which column is the user, the item, the rating: by the names people give them."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Best first: a movieId is a better item than a title that stands beside it.
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
        *("listencount", "listeningcount", "count", "counts", "weight", "r"),
    ),
    "timestamp": (
        *("timestamp", "time", "ts", "t", "date", "datetime", "ratingtimestamp", "ratingtime"),
        *("ratingdate", "unixtime", "unixtimestamp", "unixreviewtime", "reviewtime", "reviewdate"),
        *("createdat", "created", "dateadded", "year"),
    ),
}
COUNT_NAMES = (
    *("playcount", "playcounts", "plays", "listens", "listencount", "listeningcount"),
    *("count", "counts"),
)


def bare(name: str) -> str:
    """A column name without what varies: case, spaces, punctuation, RecBole's ``:token``.

    >>> bare("User_ID:token"), bare("Book-Rating"), bare("# movieId")
    ('userid', 'bookrating', 'movieid')
    """
    name = re.sub(r":(token|float|token_seq|float_seq)$", "", name.strip().lower())
    return re.sub(r"[\W_]+", "", name)


def roles_by_name(header: Sequence[str]) -> dict[str, int]:
    """The column of each role that a header names; of several fitting ones the best.

    >>> roles_by_name(["Title", "stars", "movieId", "when", "uid"])
    {'user': 4, 'item': 2, 'rating': 1}
    """
    names = [bare(name) for name in header]
    found = {}
    for role, known in NAMES.items():
        for name in known:
            if name in names:
                found[role] = names.index(name)
                break
    return found
