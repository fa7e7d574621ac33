"""The limits of what is read, in one place, with their reasons."""

from __future__ import annotations

# One rating scale is at most 0..100 in ones: more values are drawn and shown as continuous.
MAX_LEVELS = 101

# The largest public set of star ratings (MovieLens 32M, 877 MB of text) fits; reading one file
# takes three to five times its text in memory.
MAX_TEXT_BYTES = 1 << 30
MAX_RATINGS = 50_000_000
# Similarity works on a row of all users for each user: beyond this nothing finishes in a day.
MAX_USERS = 2_000_000

# Ratings shrink to a third or a tenth when packed. What grows 200-fold is made to fill a disk;
# small files may be as regular as they like.
MAX_GROWTH = 200
GROWTH_CHECKED_ABOVE = 8 << 20

# Squares of ratings are multiplied and summed: beyond this (or below its inverse) they leave the
# range of doubles, and no scale in use comes near.
LARGEST_RATING = 1e15

# Longer than any id or title in use; a file that has a longer one is read with a wrong separator.
MAX_ID_CHARACTERS = 1_000
MAX_COLUMNS = 1_000

# As much of a text is looked at to find its separator and header.
SAMPLE_CHARACTERS = 1 << 16
SAMPLE_LINES = 200

# So much of a text is quoted in a message.
QUOTED_CHARACTERS = 40
