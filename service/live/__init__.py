"""Streams: what happens in a match, told to whoever follows it, as it happens.

A process has one hub. It hears on one connection to the store that a match has moved on, reads what is new
once, and wakes those who follow that match. Nothing waits in a queue for a client: a client is a position in
a numbered log, and takes what follows it when its connection takes more.
"""
