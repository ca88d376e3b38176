"""Where matches are kept: a Redis-protocol server, embedded or external, behind one class."""
