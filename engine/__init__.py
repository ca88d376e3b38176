"""The rules of the games and of playing them: pure functions over frozen values, without clock, chance or I/O."""
