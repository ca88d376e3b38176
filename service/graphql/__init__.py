"""The GraphQL door: the schema of `schema.graphql` on the service's own store, rules and limits."""
