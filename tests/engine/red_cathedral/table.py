"""A table to set rules up on: deals, positions and moves as one writes them beside the rules.

The usual match has two seats, yellow (0) and blue (1), and this market (RC-1.11 spelling):

    space     1       2      3      4     5      6       7       8
    tile      lumber  brick  stone  gold  green  purple  rubles  recognition
    die       blue 2  red 1  green 4  white 5                    yellow 3
    card      craftsmen1     teamsters1   merchants1     clergy1

so that yellow, blue and red all go to space 3, green to 7 and white to 1. Edits of a position keep the
number of all materials and rubles: what a seat is given comes from the reserve.
"""

from typing import Any, Final

import msgspec
from msgspec.structs import replace

from engine.game import CHANCE, Row
from engine.match import AnyGame
from engine.opening import read_deal
from engine.red_cathedral import GAME
from engine.red_cathedral.model import (
    DICE,
    MATERIALS,
    NOTHING,
    ORNAMENTS,
    RUBLES,
    UNUSED,
    WORKSHOP,
    Action,
    Placed,
    Player,
    Section,
    State,
)

MARKET: Final = ("lumber", "brick", "stone", "gold", "green", "purple", "rubles", "recognition")
BEGINNER: Final = ("craftsmen1", "teamsters1", "merchants1", "clergy1")
STANDING_DICE: Final = {"yellow": (8, 3), "blue": (1, 2), "red": (2, 1), "green": (3, 4), "white": (4, 5)}

PLANS: Final = {1: (3, 4, 3, 2), 2: (3, 4, 3, 2), 3: (3, 4, 5, 4, 2), 4: (3, 4, 5, 5, 4, 3)}
TWO_SEAT_CARDS: Final = (
    ("f01", "m03", "d01"),  # llb 2+2, bsg 4+2, sge 6+1: reward in recognition + rubles
    ("f02", "m01", "m06", "d02"),  # lbb 2+2, lbg 4+1, lle 4+1, bga 6+1
    ("f03", "m02", "d03"),  # lbs 2+2, lsg 4+1, ssgg 7+2
    ("f09", "d10"),  # llbg 4+2, ggea 9+3
)
TWO_SEAT_TILES: Final = (
    ("lumber:1", "die:red", "gold:1"),
    ("brick:1", "recognition:1", "die:white", "green:1"),
    ("rubles:2", "die:yellow", "die:blue"),
    ("recognition:1", "die:green"),
)
ALL_TILES: Final = (
    *("lumber:1", "brick:1", "stone:1", "gold:1", "rubles:2", "recognition:1") * 2,
    *("die:yellow", "die:blue", "die:red", "die:green", "die:white") * 2,
    *("lumber:2", "brick:2", "stone:2", "green:1", "purple:1", "recognition:1"),
)
IVAN_ROW: Final = ("renown", "inventory", "transport", "claim", "construction")
EASY_ROLL: Final = "*"
"""In `play`: whatever is rolled, every die shows 1."""


# ------------------------------------------------------------------------------------------- deals


def deal_document(seats: int = 2, options: dict[str, Any] | None = None, **changed: Any) -> dict[str, Any]:
    """The usual deal of so many seats in the spelling of RC-1.11; keywords stand for other entries."""
    plan = changed.get("plan", PLANS[seats])
    small = tuple(plan) == PLANS[2]
    document: dict[str, Any] = {
        "seats": seats,
        "options": options or {},
        "market": MARKET,
        "influence": BEGINNER,
        "dice": STANDING_DICE,
        "plan": plan,
        "cards": TWO_SEAT_CARDS if small else cards_in_order(plan),
        "workshop_tiles": TWO_SEAT_TILES if small else tiles_in_order(plan),
        **changed,
    }
    if seats == 1:
        document.setdefault("ivan", IVAN_ROW)
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document))
    return plain


def cards_in_order(plan: tuple[int, ...]) -> list[list[str]]:
    """Cards for a plan, each pile in the order of its numbers: f01, f02, ... from the left."""
    middle = iter(range(1, 21))
    return [
        [f"f{tower:02}", *(f"m{next(middle):02}" for _ in range(height - 2)), f"d{tower:02}"]
        for tower, height in enumerate(plan, 1)
    ]


def tiles_in_order(plan: tuple[int, ...]) -> list[list[str]]:
    """Workshop tiles for a plan of three or four seats."""
    tiles = iter(ALL_TILES)
    return [[next(tiles) for _ in range(height)] for height in plan]


def match(
    seats: int = 2, options: dict[str, Any] | None = None, game: AnyGame = GAME, **changed: Any
) -> State:
    """The first position of the usual match of so many seats, with other entries of the deal by keyword."""
    state: State = game.setup(read_deal(game, deal_document(seats, options, **changed)))
    return state


# ------------------------------------------------------------------------------------------- moves


def play(state: State, *texts: str) -> State:
    """The position after moves that are all legal; `*` is any roll, `retire:<seat>` a retirement."""
    for text in texts:
        if text.startswith("retire:"):
            state = GAME.retire(state, int(text[7:]))[0]
            continue
        if text == EASY_ROLL:
            assert GAME.to_move(state) == CHANCE, "no roll is due"
        move = GAME.legal(state)[0] if text == EASY_ROLL else GAME.parse(text)
        assert GAME.normal(state, move) == move, f"{text} is not legal; legal are {sorted(legal(state))}"
        state = GAME.apply(state, move)[0]
    return state


def legal(state: State, prefix: str = "") -> set[str]:
    """The legal moves in notation; with a prefix only those that begin with it."""
    return {text for text in map(GAME.write, GAME.legal(state)) if text.startswith(prefix)}


def listed(state: State) -> list[str]:
    """The legal moves in notation, in their order."""
    return [GAME.write(move) for move in GAME.legal(state)]


def is_legal(state: State, text: str) -> bool:
    """Whether a move is legal by the list, by `normal` and by `why_not`, which must agree."""
    move = GAME.parse(text)
    answer = text in legal(state)
    assert (GAME.normal(state, move) == move) == answer
    assert (GAME.why_not(state, move) == ()) == answer
    return answer


def refused_by(state: State, text: str) -> set[str]:
    """The ids of the rules that a move breaks; empty if it is legal."""
    return {reason.rule for reason in GAME.why_not(state, GAME.parse(text))}


def rolled_dice(state: State) -> set[str]:
    """The dice that are to be rolled now; none unless chance is to move."""
    if GAME.to_move(state) != CHANCE:
        return set()
    return {part.rstrip("123456") for part in listed(state)[0][1:].split(",")}


# --------------------------------------------------------------------------------------- positions


def turn(state: State, seat: int) -> State:
    """The same table at the beginning of a turn of `seat`."""
    return replace(state, seat=seat, decision=Action(), trade=UNUSED, rerolled=False)


def with_player(state: State, seat: int, **fields: Any) -> State:
    """Fields of a player replaced as they are."""
    players = list(state.players)
    players[seat] = replace(players[seat], **fields)
    return replace(state, players=tuple(players))


def at(state: State, seat: int, position: int) -> State:
    """The marker of `seat` on a position of the track."""
    return with_player(state, seat, position=position)


def holding(state: State, seat: int, **amounts: int) -> State:
    """So much of the named materials and rubles with `seat`; the difference is with the reserve."""
    reserve = list(state.reserve)
    inventory = list(state.players[seat].inventory)
    rubles = state.players[seat].rubles
    for name, amount in amounts.items():
        if name == "rubles":
            reserve[RUBLES] += rubles - amount
            rubles = amount
        else:
            kind = MATERIALS.index(name)
            reserve[kind] += inventory[kind] - amount
            inventory[kind] = amount
    state = replace(state, reserve=tuple(reserve))
    return with_player(state, seat, inventory=tuple(inventory), rubles=rubles)


def reserve_with(state: State, **amounts: int) -> State:
    """So much of the named things in the reserve; the rest of the box is elsewhere."""
    reserve = list(state.reserve)
    for name, amount in amounts.items():
        reserve[(*MATERIALS, "rubles").index(name)] = amount
    return replace(state, reserve=tuple(reserve))


def dice_at(state: State, **dice: tuple[int, int]) -> State:
    """Dice by colour: space and value."""
    spaces, pips = list(state.spaces), list(state.pips)
    for name, (space, value) in dice.items():
        number = DICE.index(name)
        spaces[number], pips[number] = space, value
    return replace(state, spaces=tuple(spaces), pips=tuple(pips))


def claimed(state: State, seat: int, *names: str) -> State:
    """Sections claimed by `seat`, their tiles face down on its first free workshop spaces."""
    for name in names:
        owner = state.players[seat]
        workshop = list(owner.workshop)
        workshop[workshop.index(None)] = Placed(section_number(state, name), False)
        state = with_player(state, seat, banners=owner.banners - 1, workshop=tuple(workshop))
        state = _with_section(state, name, owner=seat)
    return state


def finished(state: State, seat: int, *names: str) -> State:
    """Sections finished by `seat`, claimed before or not; rewards and penalties are left out."""
    for name in names:
        if section(state, name).owner is None:
            state = claimed(state, seat, name)
        assert section(state, name).owner == seat
        state = _with_section(state, name, finished=True, delivered=NOTHING)
    return state


def decorated(state: State, seat: int, *names: str) -> State:
    """Ornaments of `seat` on finished sections; what they cost is left out."""
    for name in names:
        kind = kind_of(state, name)
        ornaments = list(state.players[seat].ornaments)
        ornaments[kind] -= 1
        state = with_player(state, seat, ornaments=tuple(ornaments))
        state = _with_section(state, name, ornament=seat)
    return state


def lying(state: State, name: str, **materials: int) -> State:
    """Materials from the reserve on an unfinished section."""
    reserve = list(state.reserve)
    delivered = [0] * 6
    for material, amount in materials.items():
        kind = MATERIALS.index(material)
        reserve[kind] -= amount
        delivered[kind] = amount
    return _with_section(replace(state, reserve=tuple(reserve)), name, delivered=tuple(delivered))


def tile_up(state: State, seat: int, space: str, name: str) -> State:
    """The tile of a section, which `seat` claims, face up on a workshop space; nothing is paid or gained."""
    owner = state.players[seat]
    workshop = list(owner.workshop)
    workshop[WORKSHOP.index(space)] = Placed(section_number(state, name), True)
    state = with_player(state, seat, banners=owner.banners - 1, workshop=tuple(workshop))
    return _with_section(state, name, owner=seat)


def _with_section(state: State, name: str, **fields: Any) -> State:
    sections = list(state.sections)
    number = section_number(state, name)
    sections[number] = replace(sections[number], **fields)
    return replace(state, sections=tuple(sections))


# ------------------------------------------------------------------------------------------- views


def section_number(state: State, name: str) -> int:
    """Where a section such as `a1` stands among the sections of the state."""
    tower, level = ord(name[0]) - ord("a"), int(name[1:])
    assert level <= len(state.table.cards[tower])
    return sum(len(cards) for cards in state.table.cards[:tower]) + level - 1


def section(state: State, name: str) -> Section:
    """A section by its name."""
    return state.sections[section_number(state, name)]


def kind_of(state: State, name: str) -> int:
    """The number of a section's ornament: door for a base, arch for a middle, cross for a dome."""
    level, height = int(name[1:]), len(state.table.cards[ord(name[0]) - ord("a")])
    return 0 if level == 1 else 2 if level == height else 1


def player(state: State, seat: int) -> Player:
    """A player by seat."""
    return state.players[seat]


def materials(counts: tuple[int, ...]) -> dict[str, int]:
    """Counts of materials by name, without those there are none of."""
    return {name: count for name, count in zip(MATERIALS, counts, strict=False) if count}


def inventory(state: State, seat: int) -> dict[str, int]:
    """The materials of a seat by name."""
    return materials(state.players[seat].inventory)


def reserve(state: State, name: str) -> int:
    """What the reserve has of a material or of rubles."""
    return state.reserve[(*MATERIALS, "rubles").index(name)]


def ornaments(state: State, seat: int) -> dict[str, int]:
    """The ornaments a seat has not placed, by name."""
    return dict(zip(ORNAMENTS, state.players[seat].ornaments, strict=True))


def die(state: State, name: str) -> tuple[int, int]:
    """Space and value of a die."""
    number = DICE.index(name)
    return state.spaces[number], state.pips[number]


def positions(state: State) -> list[int]:
    """The markers by seat."""
    return [each.position for each in state.players]


def rows(state: State) -> tuple[Row, ...]:
    """The score sheets by seat."""
    return GAME.standing(state).rows


def ranks(state: State) -> list[int]:
    """The ranks by seat."""
    return [row.rank for row in rows(state)]


def box_total(state: State) -> tuple[int, ...]:
    """Every material and, last, the rubles that are anywhere on the table."""
    totals = list(state.reserve)
    heaps = [each.inventory for each in state.players] + [each.delivered for each in state.sections]
    if state.ivan is not None:
        heaps += [state.ivan.inventory, state.ivan.construction]
    for heap in heaps:
        for kind, count in enumerate(heap):
            totals[kind] += count
    totals[RUBLES] += sum(each.rubles for each in state.players)
    return tuple(totals)


BOX: Final = (20, 20, 20, 15, 10, 10, 60)
"""What the box has of each material and of rubles. Source: RC-1.2."""
