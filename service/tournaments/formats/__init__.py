"""Who meets whom: one module a format, each a function of the record so far."""
