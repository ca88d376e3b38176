"""Documents: parsed, measured, held against the schema once, and kept.

Refusals are kept too: who sends the same wrong document again and again costs no more than others.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

import strawberry
from graphql import (
    DocumentNode,
    FragmentDefinitionNode,
    GraphQLError,
    NoSchemaIntrospectionCustomRule,
    OperationDefinitionNode,
    OperationType,
    parse,
    specified_rules,
    validate,
)
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from service.graphql.compiled.kept import Kept
from service.graphql.compiled.plan import Plan, planned
from service.graphql.compiled.variables import Variables
from service.graphql.cost import Cost, cost_of
from service.graphql.limits import check_size
from service.graphql.refusals import InvalidDocument, MalformedDocument, RequestRefused, UnknownOperation
from service.settings import Settings

USUAL_LENGTH: Final = 2_000
"""Characters that the documents kept have on average at most: a parsed one needs a hundred times as much."""
MOST_ERRORS: Final = 20
"""What is wrong with a document, named at most."""


class Operation:
    """An operation of a valid document. `plan` is the code made of it, or the reason why there is none."""

    __slots__ = (
        "cost",
        "document",
        "is_mutation",
        "is_query",
        "is_subscription",
        "name",
        "node",
        "plan",
        "variables",
    )

    def __init__(
        self,
        document: DocumentNode,
        node: OperationDefinitionNode,
        variables: Variables,
        cost: Cost,
        plan: Plan | str,
    ) -> None:
        self.document: Final = document
        self.node: Final = node
        self.name: Final = node.name.value if node.name else None
        self.variables: Final = variables
        self.cost: Final = cost
        self.plan: Final = plan
        self.is_query: Final = node.operation is OperationType.QUERY
        self.is_mutation: Final = node.operation is OperationType.MUTATION
        self.is_subscription: Final = node.operation is OperationType.SUBSCRIPTION


Document = Mapping[str | None, Operation]
"""The operations of a valid document, by name; the only one under None too."""


class Documents:
    """The documents of one schema, as many as the settings say, fewer if they are long; those used last."""

    def __init__(self, schema: strawberry.Schema, settings: Settings) -> None:
        self._schema = schema
        self._answers = Kept(settings.graphql_memory)
        self._settings = settings
        self._hides_suggestions = settings.graphql_suggestions == "off"
        self._rules = [*specified_rules, MaybeNullValidationRule, OneOfInputValidationRule]
        if settings.graphql_introspection == "off":
            self._rules.append(NoSchemaIntrospectionCustomRule)
        self._kept: OrderedDict[str, Document | RequestRefused] = OrderedDict()
        self._length = 0
        """Characters of all that are kept."""

    def __contains__(self, text: str) -> bool:
        """Whether it need not be parsed any more."""
        return text in self._kept

    def operation(self, text: str, name: str | None) -> Operation:
        """The operation of a document that has this name, or the only one.

        Raises MalformedDocument, InvalidDocument, TooCostly, UnknownOperation.
        """
        document = self._document(text)
        found = document.get(name)
        if found is None:
            names = ", ".join(sorted(each for each in document if each is not None))
            raise UnknownOperation(
                f"Name one of the operations of the document: {names or 'none has a name'}."
                if name is None
                else f"The document has no operation '{name[:60]}'."
            )
        return found

    def _document(self, text: str) -> Document:
        kept = self._kept.get(text)
        if kept is None:
            kept = self._kept[text] = self._made(text)
            self._length += len(text)
            self._let_go()
        else:
            self._kept.move_to_end(text)
        if isinstance(kept, RequestRefused):
            raise type(kept)(str(kept), kept.errors)
        return kept

    def _let_go(self) -> None:
        """Keep no more than may be kept, but always the last one."""
        most = self._settings.graphql_cache
        while len(self._kept) > most or (self._length > most * USUAL_LENGTH and len(self._kept) > 1):
            text, _ = self._kept.popitem(last=False)
            self._length -= len(text)

    def _made(self, text: str) -> Document | RequestRefused:
        try:
            document = self._parsed(text)
            check_size(document, self._settings)
            self._check(document)
        except RequestRefused as refused:
            return refused.with_traceback(None)  # which leads to the request
        return self._operations(document)

    def _parsed(self, text: str) -> DocumentNode:
        try:
            return parse(text, max_tokens=self._settings.graphql_max_tokens, allow_empty_selection_sets=False)
        except GraphQLError as error:
            raise MalformedDocument(error.message, (error.with_traceback(None),)) from None

    def _check(self, document: DocumentNode) -> None:
        try:
            errors = validate(
                self._schema._schema,  # noqa: SLF001 - there is no other way to it
                document,
                self._rules,
                max_errors=MOST_ERRORS,
                hide_suggestions=self._hides_suggestions,
            )
        except RecursionError:
            raise InvalidDocument("The document is nested too deeply.") from None
        if errors:
            raise InvalidDocument(errors[0].message, errors)

    def _operations(self, document: DocumentNode) -> Document:
        core = self._schema._schema  # noqa: SLF001 - there is no other way to it
        fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        operations = [
            Operation(
                document,
                node,
                Variables(core, node.variable_definitions or (), hides_suggestions=self._hides_suggestions),
                cost_of(core, node, fragments),
                self._plan(node, fragments),
            )
            for node in document.definitions
            if isinstance(node, OperationDefinitionNode)
        ]
        found = {operation.name: operation for operation in operations}
        return found | {None: operations[0]} if len(operations) == 1 else found

    def _plan(
        self, node: OperationDefinitionNode, fragments: Mapping[str, FragmentDefinitionNode]
    ) -> Plan | str:
        if self._settings.graphql_executor == "ordinary":
            return "switched off"
        return planned(self._schema, node, fragments, self._answers)
