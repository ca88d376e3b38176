"""The rules of the games and of playing them: pure functions over frozen values, no clock, no I/O."""
