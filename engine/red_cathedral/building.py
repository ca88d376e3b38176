"""Putting materials on sections, finishing and decorating them.

Source: part 5 of the rules.
"""

from operator import add

from msgspec.structs import replace

from engine.red_cathedral.draft import Draft, added
from engine.red_cathedral.model import (
    GREEN,
    MATERIALS,
    NOTHING,
    ORNAMENTS,
    PURPLE,
    RUBLES,
    Section,
)

FIRST_TO_FINISH = 3
"""Prestige points for the first sixth section. Source: RC-7.1."""


def deliver(draft: Draft, index: int, material: int) -> None:
    """One material goes from the inventory of the seat to its section. Source: RC-5.2."""
    draft.hand_over(draft.seat, material, 1)
    draft.note(
        "delivered", draft.seat, material=MATERIALS[material], section=draft.layout.sections[index].name
    )
    put(draft, index, material)


def put(draft: Draft, index: int, material: int) -> None:
    """A material lies on a section; the section is finished if its cost is complete. Source: RC-5.3."""
    section = draft.sections[index]
    section = draft.sections[index] = replace(section, delivered=added(section.delivered, material, 1))
    if sum(section.delivered) == sum(draft.layout.sections[index].cost):
        _finish(draft, index, section)


def _finish(draft: Draft, index: int, section: Section) -> None:
    place = draft.layout.sections[index]
    seat = section.owner
    assert seat is not None
    draft.reserve[:RUBLES] = map(add, draft.reserve, section.delivered)
    draft.sections[index] = Section(seat, NOTHING, True, None)
    draft.note("finished", seat, section=place.name)
    draft.advance(seat, place.card.recognition)
    if not (draft.layout.solitaire and seat):
        draft.gain(seat, RUBLES, place.card.rubles)
    _penalise(draft, index)
    if draft.trigger is None and _finished(draft, seat) == draft.layout.box.banners:
        draft.trigger = seat
        draft.note("last_turns", seat)
        if not draft.layout.solitaire:
            draft.gain_prestige(seat, FIRST_TO_FINISH)


def _finished(draft: Draft, seat: int) -> int:
    return sum(section.finished and section.owner == seat for section in draft.sections)


def _penalise(draft: Draft, index: int) -> None:
    """Owners of unfinished sections below pay for what others finished above them. Source: RC-5.6."""
    tower = draft.layout.towers[draft.layout.sections[index].tower]
    for lower in tower[: draft.layout.sections[index].level]:
        section = draft.sections[lower]
        if section.owner is None or section.finished:
            continue
        above = (draft.sections[higher] for higher in tower[draft.layout.sections[lower].level + 1 :])
        amount = sum(other.finished and other.owner != section.owner for other in above)
        if amount:
            draft.note("penalised", section.owner, section=draft.layout.sections[lower].name, amount=amount)
            draft.fall_back(section.owner, amount)


def decorate(draft: Draft, index: int, jewels: tuple[int, int]) -> None:
    """The seat's ornament with so many green and purple jewels goes on a section. Source: RC-5.4, RC-5.5."""
    seat, place = draft.seat, draft.layout.sections[index]
    green, purple = jewels
    cost = draft.layout.box.ornament_costs[place.kind]
    pieces = added(added(added(NOTHING, cost, 1), GREEN, green), PURPLE, purple)
    set_ornament(draft, index, seat)
    draft.pay_materials(seat, pieces)
    if green + purple:
        draft.gain_prestige(seat, 3 if green and purple else green + purple)


def set_ornament(draft: Draft, index: int, seat: int) -> None:
    """One of the seat's ornaments lies on the section."""
    place, player = draft.layout.sections[index], draft.players[seat]
    draft.players[seat] = replace(player, ornaments=added(player.ornaments, place.kind, -1))
    draft.sections[index] = replace(draft.sections[index], ornament=seat)
    draft.note("decorated", seat, section=place.name, ornament=ORNAMENTS[place.kind])
