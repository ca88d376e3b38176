"""From options and chance to the opening deal, and from a deal to the first state.

Source: RC-1.3 to RC-1.11.
"""

from collections import Counter
from typing import Final

from engine.chance import Draw
from engine.errors import BadSetup
from engine.red_cathedral.boxfile import GROUPS
from engine.red_cathedral.components import Box
from engine.red_cathedral.model import (
    BASE,
    COLOURS,
    DICE,
    DOME,
    KINDS,
    MIDDLE,
    NOTHING,
    RESOURCES,
    ROOM,
    RUBLES,
    UNUSED,
    WORKSHOP,
    Action,
    Deal,
    Die,
    Ivan,
    Player,
    Resource,
    Section,
    State,
    Table,
)
from engine.red_cathedral.options import Colour, Options

MARKET: Final = 8
UNCLAIMED: Final = Section(None, NOTHING, False, None)
SEATS: Final = (1, 2, 3, 4)


def sides(seats: int) -> int:
    """The players on the table: the seats, and Ivan beside a single one. Source: RC-7.10."""
    return max(seats, 2)


def draw_deal(box: Box, options: Options, seats: int, draw: Draw) -> Deal:
    """The opening deal that `draw` gives. Raises BadSetup."""
    if seats not in SEATS:
        raise BadSetup("seats", f"{seats} cannot play; it takes 1 to 4")
    _colours(options, seats)
    market = draw.shuffled(RESOURCES, "market")
    plans = box.plans[sides(seats)]
    plan = plans[draw.below(len(plans), "plan")]
    tiles = draw.shuffled(box.tile_pile(seats), "tiles")
    return Deal(
        seats=seats,
        options=options,
        market=market,
        influence=_draw_influence(box, options, draw),
        dice=_draw_dice(market, draw),
        plan=plan,
        cards=_draw_cards(box, plan, draw),
        workshop_tiles=_by_tower(tiles, plan),
        ivan=draw.shuffled(tuple(box.ivan), "ivan") if seats == 1 else (),
    )


def _draw_influence(box: Box, options: Options, draw: Draw) -> tuple[str, ...]:
    drawn: list[str] = []
    for group in GROUPS:
        cards = [card for card in box.influence.values() if card.group == group]
        if options.influence == "beginner":
            drawn.append(next(card.id for card in cards if card.beginner))
        else:
            drawn.append(cards[draw.below(len(cards), group)].id)
    return draw.shuffled(drawn, "influence")


def _draw_dice(market: tuple[Resource, ...], draw: Draw) -> dict[Die, tuple[int, int]]:
    """The dice by the recognition tile and the spaces behind it. Source: RC-1.5."""
    first = market.index("recognition")
    order = draw.shuffled(DICE, "dice order")
    placed = {die: (first + step) % MARKET + 1 for step, die in enumerate(order)}
    return {die: (placed[die], draw.below(6, "deal die", die) + 1) for die in DICE}


def _draw_cards(box: Box, plan: tuple[int, ...], draw: Draw) -> tuple[tuple[str, ...], ...]:
    piles = [iter(draw.shuffled(box.pile(kind), KINDS[kind])) for kind in range(len(KINDS))]
    return tuple(tuple(next(piles[kind_of(level, height)]) for level in range(height)) for height in plan)


def kind_of(level: int, height: int) -> int:
    """BASE, MIDDLE or DOME: the kind of card at a level, counted from 0."""
    return BASE if level == 0 else DOME if level == height - 1 else MIDDLE


def _by_tower(items: tuple[str, ...], plan: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    pile = iter(items)
    return tuple(tuple(next(pile) for _ in range(height)) for height in plan)


def _colours(options: Options, seats: int) -> tuple[Colour, ...]:
    """A colour for each side. Source: RC-1.9."""
    if len(options.colours) > sides(seats):
        raise BadSetup("options.colours", f"{len(options.colours)} colours for {seats} seats")
    if len(set(options.colours)) != len(options.colours):
        raise BadSetup("options.colours", "they must be distinct")
    rest: tuple[Colour, ...] = tuple(colour for colour in COLOURS if colour not in options.colours)
    return (options.colours + rest)[: sides(seats)]


# ------------------------------------------------------------------------------------ a given deal


def check_deal(box: Box, deal: Deal) -> None:
    """Nothing, if a match with this box can start from `deal`. Raises BadSetup. Source: RC-1.11."""
    _require(deal.seats in SEATS, "seats", f"{deal.seats} cannot play; it takes 1 to 4")
    _colours(deal.options, deal.seats)
    _check_market(deal)
    _check_influence(box, deal)
    _check_plan(box, deal)
    _check_tiles(box, deal)
    due = sorted(box.ivan) if deal.seats == 1 else []
    _require(sorted(deal.ivan) == due, "ivan", "each of Ivan's cards once, in a match of one seat only")


def _require(holds: bool, where: str, why: str) -> None:
    if not holds:
        raise BadSetup(where, why)


def _check_market(deal: Deal) -> None:
    _require(
        sorted(deal.market) == sorted(RESOURCES), "market", "each of the 8 resource tiles once, by space"
    )
    _require(sorted(deal.dice) == sorted(DICE), "dice", f"all of {', '.join(DICE)} must lie on the market")
    for die, (space, value) in deal.dice.items():
        _require(1 <= space <= MARKET, f"dice.{die}", f"there is no space {space}")
        _require(1 <= value <= 6, f"dice.{die}", f"a die does not show {value}")
    crowd = max(Counter(space for space, _ in deal.dice.values()).values())
    _require(crowd <= ROOM, "dice", f"{crowd} dice in one space, which holds {ROOM}")


def _check_influence(box: Box, deal: Deal) -> None:
    for name in deal.influence:
        _require(name in box.influence, "influence", f"there is no card '{name[:40]}'")
    cards = [box.influence[name] for name in deal.influence]
    groups = sorted(card.group for card in cards)
    _require(groups == sorted(GROUPS), "influence", f"one card of each of {', '.join(GROUPS)}, by quadrant")
    if deal.options.influence == "beginner":
        strange = [card.id for card in cards if not card.beginner]
        _require(not strange, "influence", f"{', '.join(strange)} is no card for beginners")


def _check_plan(box: Box, deal: Deal) -> None:
    plans = box.plans[sides(deal.seats)]
    _require(deal.plan in plans, "plan", f"{list(deal.plan)} is no plan for {deal.seats} seats")
    for where, rows in (("cards", deal.cards), ("workshop_tiles", deal.workshop_tiles)):
        shape = tuple(len(row) for row in rows)
        _require(shape == deal.plan, where, f"towers of {list(shape)} where the plan has {list(deal.plan)}")
    seen: set[str] = set()
    for tower in deal.cards:
        for level, name in enumerate(tower):
            kind = kind_of(level, len(tower))
            known = name in box.cards and box.cards[name].kind == kind
            _require(known, "cards", f"'{name[:40]}' is no {KINDS[kind]} card")
            _require(name not in seen, "cards", f"{name} stands twice")
            seen.add(name)


def _check_tiles(box: Box, deal: Deal) -> None:
    there = Counter(box.tile_pile(deal.seats))
    for name, count in Counter(name for tower in deal.workshop_tiles for name in tower).items():
        _require(
            count <= there[name],
            "workshop_tiles",
            f"{count} of '{name[:40]}', of which {there[name]} are in play",
        )


# -------------------------------------------------------------------------------- the first state


def first_state(box: Box, deal: Deal) -> State:
    """The state at version 0. Trusts `deal`. Source: RC-1.8, RC-7.10."""
    rubles = [*box.start_rubles[: deal.seats]]
    players = [_player(box, amount) for amount in rubles]
    if deal.seats == 1:
        players.append(_player(box, 0))
    reserve = (*box.reserve[:RUBLES], box.reserve[RUBLES] - sum(rubles))
    return State(
        table=_table(deal),
        decision=Action(),
        seat=0,
        round=1,
        trade=UNUSED,
        rerolled=False,
        spaces=tuple(deal.dice[die][0] for die in DICE),
        pips=tuple(deal.dice[die][1] for die in DICE),
        rolls=(0,) * len(DICE),
        reserve=reserve,
        players=tuple(players),
        sections=(UNCLAIMED,) * sum(deal.plan),
        trigger=None,
        retired=(),
        ivan=Ivan(0, NOTHING, NOTHING) if deal.seats == 1 else None,
    )


def _player(box: Box, rubles: int) -> Player:
    return Player(box.track.start, rubles, NOTHING, box.banners, box.ornaments, (None,) * len(WORKSHOP))


def _table(deal: Deal) -> Table:
    options, house = deal.options, deal.options.house_rules
    return Table(
        seats=deal.seats,
        colours=tuple(DICE.index(colour) for colour in _colours(options, deal.seats)),
        market=tuple(RESOURCES.index(resource) for resource in deal.market),
        influence=deal.influence,
        cards=deal.cards,
        tiles=deal.workshop_tiles,
        ivan=deal.ivan,
        difficulty=options.difficulty,
        advanced=options.workshop == "advanced",
        turn_limit=options.turn_limit,
        gain_pips=house.market_gain == "pips",
        roll_before=house.market_roll == "before",
        third_is_one=house.tower_places == "one",
        split_ties=house.tower_ties == "split",
        two_as_many=house.two_seat_towers == "standard",
        trade_any=house.trade_moments == "any",
        jewels_differ=house.jewel_pairs == "different",
    )
