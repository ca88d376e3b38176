"""The page for people: static files, read once at the start, and what goes with them over HTTP."""
