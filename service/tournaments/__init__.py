"""Tournaments: what is fixed, what is due, and what came of it, as functions of one record."""
