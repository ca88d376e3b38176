"""Operations as code: a valid operation becomes functions that read what is asked for out of the values.

The ordinary execution calls a resolver for each field and looks at what each returns; for a list of moves
that costs fifty times as much as the values do. Here the selection of an operation is made into one function
for each type that a value turns out to have. Whatever is not as the schema says ends in `Bail`: then the
ordinary execution goes on with what the resolvers at the root have returned, and words the errors.
"""
