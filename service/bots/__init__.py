"""Built-in bots: players of the engine that sit down when asked, and play over HTTP like anybody else."""
