"""Players: their accounts and API tokens, and what they are told.

Everything about a player lies in one slot of the store, `{player:<id>}`. What concerns both a player and a
match follows from the match, whose record decides.
"""
