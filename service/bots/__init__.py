"""Built-in bots: players of the engine that take seats when asked, and play them over HTTP like anybody else."""
