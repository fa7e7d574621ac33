"""What each page shows: a folder for each page, named as in its address."""
