"""Reasons that several kinds of move share: what is missing where."""

from collections.abc import Iterator, Sequence

from engine.game import Reason
from engine.red_cathedral.facts import free_places
from engine.red_cathedral.layout import Layout
from engine.red_cathedral.model import MATERIALS, RESOURCES, RUBLES, Player, State


def reason(rule: str, code: str, **values: int | str) -> Reason:
    """A failed condition."""
    return Reason(rule, code, values)


def section_reasons(layout: Layout, name: str) -> Iterator[Reason]:
    """Whether there is such a section. Source: RC-1.6."""
    if name not in layout.index:
        yield reason("RC-1.6", "no_such_section", section=name)


def ruble_reasons(player: Player, price: int, rule: str) -> Iterator[Reason]:
    """Whether a player has so many rubles."""
    if price > player.rubles:
        yield reason(rule, "too_few_rubles", price=price, rubles=player.rubles)


def short_of(inventory: Sequence[int], material: int, needed: int, rule: str) -> Iterator[Reason]:
    """Whether so much of a material is in the inventory."""
    if needed > inventory[material]:
        yield reason(
            rule, "not_in_inventory", material=MATERIALS[material], needed=needed, held=inventory[material]
        )


def delivery_reasons(layout: Layout, state: State, delivery: tuple[str, str], count: int) -> Iterator[Reason]:
    """Whether a section (by name) can take `count` of a material of its owner's. Source: RC-5.1, RC-5.2."""
    name, word = delivery
    yield from section_reasons(layout, name)
    if name not in layout.index:
        return
    index, material = layout.index[name], RESOURCES.index(word)
    section, due = state.sections[index], layout.sections[index].cost[material]
    if section.owner != state.seat:
        yield reason("RC-5.1", "not_own_section", section=name)
    if section.finished:
        yield reason("RC-5.2", "section_finished", section=name)
    elif section.delivered[material] + count > due:
        yield reason(
            "RC-5.2",
            "not_missing",
            section=name,
            material=word,
            due=due,
            delivered=section.delivered[material],
        )


def gain_reasons(layout: Layout, state: State, resource: int, rule: str) -> Iterator[Reason]:
    """Whether any of a resource can be gained: a place for it, and some in the reserve. Source: RC-4.7."""
    if resource < RUBLES and free_places(layout, state.players[state.seat]) < 1:
        yield reason(rule, "no_free_place")
    if resource <= RUBLES and not state.reserve[resource]:
        yield reason(rule, "reserve_short", resource=RESOURCES[resource], there=0)
