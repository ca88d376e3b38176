"""Ivan's turn in a solitaire match.

Source: RC-7.10 to RC-7.17.
"""

from operator import add

from msgspec.structs import replace

from engine.red_cathedral.building import put, set_ornament
from engine.red_cathedral.draft import Draft, added
from engine.red_cathedral.facts import has_room, landing
from engine.red_cathedral.legal import ivan_sections
from engine.red_cathedral.model import (
    IVAN,
    MATERIALS,
    NOTHING,
    RECOGNITION,
    RUBLES,
    Ivan,
    IvanClaim,
    Pass,
    Roll,
)


def take_turn(draft: Draft) -> None:
    """Ivan uses his next card; unless the human must choose for him, his die moves and a roll is due."""
    row = draft.layout.table.ivan
    ivan = _ivan(draft)
    card = row[ivan.next]
    draft.ivan = replace(ivan, next=(ivan.next + 1) % len(row))
    draft.note("ivan_card", IVAN, card=card)
    if card == "renown":
        draft.advance(IVAN, draft.layout.strength.recognition)
    elif card == "inventory":
        _store(draft)
    elif card == "transport":
        _transport(draft)
    elif card == "construction":
        _construct(draft)
    else:
        sections = ivan_sections(draft.layout, draft.sections) if draft.players[IVAN].banners else []
        if len(sections) > 1:
            draft.decision = IvanClaim()
            return
        _claim_or_skip(draft, sections)
    move_die(draft)


def claim(draft: Draft, index: int) -> None:
    """Ivan's banner goes on a section; its tile is removed. Source: RC-7.13."""
    player, place = draft.players[IVAN], draft.layout.sections[index]
    draft.players[IVAN] = replace(player, banners=player.banners - 1)
    draft.sections[index] = replace(draft.sections[index], owner=IVAN)
    draft.note("ivan_claimed", IVAN, section=place.name)
    if place.tile.die is None and place.tile.resource == RECOGNITION:
        draft.advance(IVAN, place.tile.amount)


def move_die(draft: Draft) -> None:
    """The die of the card just used moves; the dice where it stops are to be rolled. Source: RC-7.16."""
    row = draft.layout.table.ivan
    card = row[(_ivan(draft).next - 1) % len(row)]
    die = draft.layout.box.ivan[card]
    space = landing(draft.spaces[die], draft.pips[die])
    while not has_room(draft.spaces, die, space):
        space = landing(space, 1)
    draft.move_die(die, space)
    draft.decision = Roll(draft.dice_at(space), Pass())


def _ivan(draft: Draft) -> Ivan:
    assert draft.ivan is not None
    return draft.ivan


def _store(draft: Draft) -> None:
    """Materials from the fullest piles go on Inventory. Source: RC-7.12."""
    stored = NOTHING
    for _ in range(draft.layout.strength.materials):
        fullest = max(range(RUBLES), key=draft.reserve.__getitem__)
        if draft.reserve[fullest]:
            draft.reserve[fullest] -= 1
            stored = added(stored, fullest, 1)
    ivan = _ivan(draft)
    draft.ivan = replace(ivan, inventory=tuple(map(add, ivan.inventory, stored)))
    for material, amount in enumerate(stored):
        if amount:
            draft.note("ivan_stored", IVAN, material=MATERIALS[material], amount=amount)


def _transport(draft: Draft) -> None:
    """Everything on Inventory goes to Construction. Source: RC-7.12."""
    ivan = _ivan(draft)
    amount = sum(ivan.inventory)
    construction = tuple(map(add, ivan.inventory, ivan.construction))
    draft.ivan = replace(ivan, inventory=NOTHING, construction=construction)
    if amount:
        draft.note("ivan_transported", IVAN, amount=amount)


def _claim_or_skip(draft: Draft, sections: list[int]) -> None:
    """Ivan's claim where nothing is to be chosen. Source: RC-7.13."""
    if sections:
        claim(draft, sections[0])
    else:
        draft.note("ivan_skips", IVAN)


def _construct(draft: Draft) -> None:
    """Materials go on Ivan's unfinished sections, then he places an ornament. Source: RC-7.14, RC-7.15."""
    for place in draft.layout.sections:
        while _lacks(draft, place.index):
            ivan = _ivan(draft)
            material = next((kind for kind in range(RUBLES) if ivan.construction[kind]), None)
            if material is None:
                break
            draft.ivan = replace(ivan, construction=added(ivan.construction, material, -1))
            draft.note("ivan_delivered", IVAN, material=MATERIALS[material], section=place.name)
            put(draft, place.index, material)
    _decorate(draft)


def _lacks(draft: Draft, index: int) -> bool:
    section = draft.sections[index]
    return section.owner == IVAN and not section.finished


def _decorate(draft: Draft) -> None:
    """An ornament on the first bare finished section that he has the kind for. Source: RC-7.15."""
    ornaments = draft.players[IVAN].ornaments
    for place in draft.layout.sections:
        section = draft.sections[place.index]
        if section.finished and section.ornament is None and ornaments[place.kind]:
            set_ornament(draft, place.index, IVAN)
            return
