"""The contract with clients: the bodies of REST and the types of GraphQL, made from the engine's types."""
