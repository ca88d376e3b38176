"""Players that come with the engine; `roster` lists them. They know the protocol and no game."""
