"""What an operation costs, by the prices of `schema.graphql.prices`, before it is carried out.

The sum is made once for each operation. What no variable changes is a number then; only the rest is worked
out again for each request.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, Final

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLArgument,
    GraphQLField,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_list_type,
    value_from_ast_untyped,
)

from schema.graphql.prices import PRICES, SIZE, Price

Variables = Mapping[str, Any]
Cost = int | Callable[[Variables], int]
"""A number, or one that depends on variables."""
_USUAL: Final = Price()


def cost_of(
    schema: GraphQLSchema, operation: OperationDefinitionNode, fragments: Mapping[str, FragmentDefinitionNode]
) -> Cost:
    """The cost of a valid operation."""
    root = schema.get_root_type(operation.operation)
    assert root is not None
    return _Pricer(schema, fragments).selections(operation.selection_set, root)


def amount(cost: Cost, variables: Variables) -> int:
    """The number, with these values of variables."""
    return cost if isinstance(cost, int) else cost(variables)


class _Pricer:
    """Prices the selections of one document; each fragment once."""

    def __init__(self, schema: GraphQLSchema, fragments: Mapping[str, FragmentDefinitionNode]) -> None:
        self._schema = schema
        self._fragments = fragments
        self._known: dict[str, Cost] = {}

    def selections(self, selections: SelectionSetNode, parent: GraphQLNamedType) -> Cost:
        """What the fields cost: of those for different object types, the dearest ones."""
        always: list[Cost] = []
        by_type: dict[str, list[Cost]] = {}
        for node in selections.selections:
            if isinstance(node, FieldNode):
                always.append(self._field(node, parent))
                continue
            condition, cost = self._fragment(node, parent)
            is_one = isinstance(condition, GraphQLObjectType) and condition is not parent
            (by_type.setdefault(condition.name, []) if is_one else always).append(cost)
        if by_type:
            always.append(_largest([_sum(costs) for costs in by_type.values()]))
        return _sum(always)

    def _fragment(self, node: Any, parent: GraphQLNamedType) -> tuple[GraphQLNamedType, Cost]:
        if isinstance(node, InlineFragmentNode):
            condition = self._named(node.type_condition, parent)
            return condition, self.selections(node.selection_set, condition)
        assert isinstance(node, FragmentSpreadNode)
        name = node.name.value
        fragment = self._fragments[name]
        condition = self._named(fragment.type_condition, parent)
        if name not in self._known:
            self._known[name] = self.selections(fragment.selection_set, condition)
        return condition, self._known[name]

    def _named(self, condition: Any, parent: GraphQLNamedType) -> GraphQLNamedType:
        if condition is None:
            return parent
        found = self._schema.get_type(condition.name.value)
        assert found is not None
        return found

    def _field(self, node: FieldNode, parent: Any) -> Cost:
        name = node.name.value
        field: GraphQLField | None = self._schema.get_field(parent, name)
        assert field is not None
        price = PRICES.get(f"{parent.name}.{name}") or PRICES.get(name, _USUAL)
        own: Cost = price.base
        if price.per is not None:
            own = _product(price.base, _length(node, price.per))
        if node.selection_set is None:
            return own
        below = self.selections(node.selection_set, get_named_type(field.type))
        if SIZE in field.args or is_list_type(get_nullable_type(field.type)):
            below = _product(_entries(node, field, price), below)
        return _sum((own, below))


def _entries(node: FieldNode, field: GraphQLField, price: Price) -> Cost:
    """How many entries the list has at most, as far as is known."""
    if SIZE not in field.args:
        return price.entries
    default = _default(field.args[SIZE])
    otherwise = default if isinstance(default, int) else price.entries
    return _given(node, SIZE, lambda value: value if isinstance(value, int) and value >= 0 else otherwise)


def _default(argument: GraphQLArgument) -> Any:
    """What an argument is without being given, None for nothing."""
    default = argument.default
    if default is None:
        return None
    return default.value if default.literal is None else value_from_ast_untyped(default.literal)


def _length(node: FieldNode, argument: str) -> Cost:
    """How many entries an argument has, at least 1."""
    return _given(node, argument, lambda value: max(1, len(value)) if isinstance(value, list | tuple) else 1)


def _given(node: FieldNode, argument: str, count: Callable[[Any], int]) -> Cost:
    """The count of what is given for an argument, None for nothing."""
    value = next((each.value for each in node.arguments or () if each.name.value == argument), None)
    if isinstance(value, VariableNode):
        name = value.name.value
        return lambda variables: count(variables.get(name))
    if isinstance(value, ListValueNode):  # what its entries are does not matter
        return count(value.values)
    return count(None if value is None else value_from_ast_untyped(value))


def _sum(costs: Iterable[Cost]) -> Cost:
    fixed, moving = _parted(costs)
    total = sum(fixed)
    return (lambda given: total + sum([cost(given) for cost in moving])) if moving else total


def _largest(costs: Iterable[Cost]) -> Cost:
    fixed, moving = _parted(costs)
    least = max(fixed, default=0)
    return (lambda given: max(chain((least,), (cost(given) for cost in moving)))) if moving else least


def _product(one: Cost, other: Cost) -> Cost:
    if isinstance(one, int) and isinstance(other, int):
        return one * other
    return lambda given: amount(one, given) * amount(other, given)


def _parted(costs: Iterable[Cost]) -> tuple[list[int], list[Callable[[Variables], int]]]:
    fixed: list[int] = []
    moving: list[Callable[[Variables], int]] = []
    for cost in costs:
        if isinstance(cost, int):
            fixed.append(cost)
        else:
            moving.append(cost)
    return fixed, moving
