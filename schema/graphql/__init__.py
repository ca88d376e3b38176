"""The GraphQL schema. It knows the engine and the contract; the service is reached through a `Door`."""
