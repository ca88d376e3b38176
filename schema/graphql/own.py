"""What players are told of their own matches, as types that one selection can be made of.

GraphQL wants fields of one name to have one type in all members of a union; what is null in some message
may be null in all of them.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from schema.graphql import types
from schema.graphql.derive import Place
from schema.wire_players import PlayerMessage, ReadyMessage, Told

MESSAGES: Final[tuple[type[Struct], ...]] = (*get_args(Told), ReadyMessage)
"""The messages of a player's own stream that say something."""
_NAME: Final = "OwnMessage"


def _bare(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type and what is said of it."""
    if get_origin(hint) is Annotated:
        return hint.__origin__, hint.__metadata__
    return hint, ()


def _nullable(kinds: Iterable[type[Struct]]) -> frozenset[str]:
    """The fields that may be null in some of the messages."""
    return frozenset(
        name
        for kind in kinds
        for name, hint in get_type_hints(kind, include_extras=True).items()
        if type(None) in get_args(_bare(hint)[0])
    )


def _alike(kind: type[Struct], nullable: frozenset[str]) -> type[Struct]:
    """The message with every field that may be null somewhere being one that may be null."""
    hints = get_type_hints(kind, include_extras=True)
    fields: list[tuple[str, Any]] = []
    for name in kind.__struct_fields__:
        bare, metadata = _bare(hints[name])
        hint = bare | None if name in nullable else bare
        fields.append((name, Annotated[(hint, *metadata)] if metadata else hint))
    return msgspec.defstruct(
        kind.__name__,
        fields,
        namespace={"__doc__": vars(kind)["__doc__"]},
        module=kind.__module__,
        frozen=True,
    )


_COMMON: Final = _nullable(MESSAGES)
_TYPES: Final = {kind: _alike(kind, _COMMON) for kind in MESSAGES}
OWN_MESSAGE: Final = types.DERIVER.mirror(
    types.DERIVER.union(
        _NAME,
        tuple(_TYPES.values()),
        Place(PlayerMessage, "message", ""),
        "What concerns one's own matches; after `ReadyMessage`, what happens.",
    )
)


def own_message(message: Struct) -> Any:
    """A message as the value of its type."""
    kind = _TYPES[type(message)]
    return kind(*(getattr(message, name) for name in kind.__struct_fields__))
