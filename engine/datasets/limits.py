"""The limits of what is read, with their reasons."""

from __future__ import annotations

# The longest rating scale is 0..100 in ones. More values are drawn and shown as continuous.
MAX_LEVELS = 101

# The largest public set of star ratings fits (MovieLens 32M, 877 MB of text). Reading a file
# takes three to five times its text in memory.
MAX_TEXT_BYTES = 1 << 30
MAX_RATINGS = 50_000_000
# Similarity takes a row of all users for each user: with more users no run ends within a day.
MAX_USERS = 2_000_000

# Ratings shrink to a third or a tenth when packed. A file that grows 200-fold is made to fill a
# disk. Small files may be as regular as they like.
MAX_GROWTH = 200
GROWTH_CHECKED_ABOVE = 8 << 20

# Squares of ratings are multiplied and summed. With larger ratings (or smaller ones than the
# inverse) they leave the range of doubles. No scale in use comes near.
LARGEST_RATING = 1e15

# No id or title in use is longer: a longer one shows that the separator is wrong.
MAX_ID_CHARACTERS = 1_000
MAX_COLUMNS = 1_000
# A table of users by items has a column for each item, or for each user.
MAX_MATRIX_COLUMNS = 500_000

# This much of a text is read to find its separator and header.
SAMPLE_CHARACTERS = 1 << 16
MOST_SAMPLE_CHARACTERS = 1 << 23  # where lines are so long that few fit into the sample
SAMPLE_LINES = 200

# This much of a text is quoted in a message.
QUOTED_CHARACTERS = 40
