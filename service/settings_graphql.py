"""What can be set of the GraphQL door."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Switch = Literal["on", "off"]
Limit = Annotated[int, Meta(ge=1, le=1_000_000_000)]


class GraphqlSettings(Struct, frozen=True, kw_only=True):
    """One group of the settings of a service: limits of documents, and what strangers may see."""

    graphql: Annotated[
        Switch, Meta(description="Whether there is GraphQL; a worker without it starts in half of the time.")
    ] = "on"
    graphql_introspection: Annotated[
        Switch, Meta(description="Whether questions about the schema are answered.")
    ] = "on"
    graphql_suggestions: Annotated[
        Switch, Meta(description="Whether errors in documents name what may have been meant.")
    ] = "off"
    graphql_explorer: Annotated[
        Switch, Meta(description="Whether browsers that open /graphql find GraphiQL there.")
    ] = "off"
    graphql_documents: Annotated[
        str,
        Meta(
            description="File of registered documents: JSON, from the SHA-256 of each, in hex, to its text."
        ),
    ] = ""
    graphql_unregistered: Annotated[
        Switch, Meta(description="Whether other documents than registered ones are answered.")
    ] = "on"
    graphql_executor: Annotated[
        Literal["compiled", "ordinary"],
        Meta(description="How operations are carried out: as code made of them, or step by step."),
    ] = "compiled"
    graphql_cache: Annotated[
        Limit,
        Meta(
            description="Documents that a worker keeps, parsed, checked and compiled; fewer if they are long."
        ),
    ] = 500
    graphql_memory: Annotated[
        Annotated[int, Meta(ge=0, le=1_000_000_000)],
        Meta(description="Bytes of what was told of positions that a worker keeps, to tell it again."),
    ] = 16_777_216
    graphql_max_tokens: Annotated[Limit, Meta(description="Words and signs in a document at most.")] = 4_000
    graphql_max_depth: Annotated[Limit, Meta(description="Fields within fields at most.")] = 24
    graphql_max_fields: Annotated[
        Limit, Meta(description="Fields in an operation at most, with all its fragments spread.")
    ] = 1_500
    graphql_max_aliases: Annotated[Limit, Meta(description="Of these, under another name at most.")] = 60
    graphql_max_roots: Annotated[Limit, Meta(description="Fields at the root of an operation at most.")] = 20
    graphql_max_cost: Annotated[
        Limit, Meta(description="What an operation may cost; the schema says what costs how much.")
    ] = 100_000
    graphql_timeout: Annotated[
        Annotated[int, Meta(ge=1, le=3_600)], Meta(description="How long a query may take.")
    ] = 10
