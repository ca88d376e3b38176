"""Reading the file of component data, and whether it makes a complete and consistent box.

Source: part 9 of the rules.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from engine.boxes import read_toml
from engine.errors import BadBox, Fault
from engine.red_cathedral.boxfile import GROUPS, BoxFile, CardEntry, EffectEntry, Gain, OrnamentKind, Pay
from engine.red_cathedral.model import ORNAMENTS, WORKSHOP

PLANS: Final = ("2", "3", "4")
CARDS: Final = {"base": 10, "middle": 20, "dome": 10}
WORKSHOP_TILES: Final = 28
TRACK_LENGTH: Final = 80
TRACK_PRESTIGE: Final = 40
IVAN_CARDS: Final = ("renown", "inventory", "transport", "claim", "construction")


def read(data: bytes) -> BoxFile:
    """The component data, complete and consistent. Raises BadBox that names all entries at fault."""
    raw = read_toml(data)
    try:
        box = msgspec.convert(raw, BoxFile)
    except msgspec.ValidationError as error:
        raise _bad_entry(raw, error) from None
    if faults := tuple(fault for check in CHECKS for fault in check(box)):
        raise BadBox(*faults)
    return box


def _bad_entry(raw: dict[str, Any], error: msgspec.ValidationError) -> BadBox:
    """The error with the full name of the entry; msgspec leaves out the keys of a dictionary."""
    why, _, path = str(error).partition(" - at ")
    where = path.replace("`", "").replace("key in ", "").removeprefix("$").removeprefix(".")
    outer, unnamed, inner = where.partition("[...]")
    if unnamed or path.startswith("`key` in"):
        where = f"{outer}.{_key_at_fault(raw, outer.split('.'))}{inner}"
    return BadBox(Fault(where or "file", why))


def _key_at_fault(raw: dict[str, Any], names: Sequence[str]) -> str:
    """The first key of the named dictionary that alone makes the file fail in the same place."""
    parent: dict[str, Any] = raw
    for name in names[:-1]:
        parent = parent[name]
    whole: dict[str, Any] = parent[names[-1]]
    for key, value in whole.items():
        parent[names[-1]] = {key: value}
        try:
            msgspec.convert(raw, BoxFile)
        except msgspec.ValidationError:
            return key
    return "?"


def _unless(holds: bool, where: str, why: str) -> Iterator[Fault]:
    if not holds:
        yield Fault(where, why)


def _check_track(box: BoxFile) -> Iterator[Fault]:
    track = box.track
    yield from _unless(
        track.length == TRACK_LENGTH,
        "track.length",
        f"it is {track.length}, the track has {TRACK_LENGTH} spaces",
    )
    yield from _unless(
        len(track.prestige) == TRACK_PRESTIGE,
        "track.prestige",
        f"{len(track.prestige)} prestige spaces where {TRACK_PRESTIGE} are due",
    )
    rising = all(low < high for low, high in zip(track.prestige, track.prestige[1:], strict=False))
    yield from _unless(rising, "track.prestige", "the spaces do not increase")
    last = max(track.prestige, default=0)
    yield from _unless(last < track.length, "track.prestige", f"{last} is beyond the track")
    yield from _unless(track.start < track.length, "track.start", f"{track.start} is beyond the track")


def _check_players(box: BoxFile) -> Iterator[Fault]:
    players = box.players
    yield from _unless(
        len(players.start_rubles) == 4, "players.start_rubles", "it must name an amount for each of 4 seats"
    )
    yield from _unless(
        sum(players.start_rubles) <= box.reserve.rubles,
        "players.start_rubles",
        "the reserve has not so many rubles",
    )
    most = min(players.banners, players.inventory)
    yield from _unless(
        players.banners_in_inventory <= most,
        "players.banners_in_inventory",
        f"{players.banners_in_inventory} of {players.banners} banners do not fit {players.inventory} places",
    )
    for name in ORNAMENTS:
        kind: OrnamentKind = getattr(box.ornaments, name)
        due = dict(zip(ORNAMENTS, CARDS, strict=True))[name]
        yield from _unless(kind.section == due, f"ornaments.{name}.section", f"a {name} decorates a {due}")


def _check_workshop(box: BoxFile) -> Iterator[Fault]:
    places = box.workshop.advanced.ornament_spaces
    where = "workshop.advanced.ornament_spaces"
    for space in places:
        yield from _unless(space in WORKSHOP, f"{where}.{space}", "it is no workshop space")
    locked = Counter(places.values())
    for name in ORNAMENTS:
        owned: int = getattr(box.players.ornaments, name)
        yield from _unless(locked[name] == owned, where, f"{locked[name]} places for {owned} of {name}")


def _check_cards(box: BoxFile) -> Iterator[Fault]:
    seen: set[str] = set()
    for kind, due in CARDS.items():
        cards: dict[str, CardEntry] = getattr(box.cards, kind)
        yield from _unless(len(cards) == due, f"cards.{kind}", f"{len(cards)} cards where {due} are due")
        twice = seen & cards.keys()
        yield from _unless(not twice, f"cards.{kind}", f"{', '.join(sorted(twice))} stands in two piles")
        seen |= cards.keys()


def _check_plans(box: BoxFile) -> Iterator[Fault]:
    yield from _unless(
        tuple(sorted(box.plans)) == PLANS, "plans", f"there must be plans for {', '.join(PLANS)} players"
    )
    for players, plans in box.plans.items():
        yield from _unless(len(plans) == 3, f"plans.{players}", f"{len(plans)} plans where 3 are due")
        yield from _unless(len(set(plans)) == len(plans), f"plans.{players}", "a plan stands twice")
        due = box.players.banners * int(players)
        for number, plan in enumerate(plans):
            where = f"plans.{players}[{number}]"
            yield from _unless(sum(plan) == due, where, f"{sum(plan)} sections where {due} are due")
            yield from _unless(
                len(plan) <= CARDS["base"], where, f"{len(plan)} towers for {CARDS['base']} bases and domes"
            )
            middles = sum(plan) - 2 * len(plan)
            yield from _unless(
                middles <= CARDS["middle"], where, f"{middles} middle sections for {CARDS['middle']} cards"
            )


def _check_tiles(box: BoxFile) -> Iterator[Fault]:
    seen: set[str] = set()
    for number, tile in enumerate(box.workshop_tiles.tiles):
        where = f"workshop_tiles.tiles[{number}]"
        shows = (tile.die is None, tile.gain is None, tile.amount is None)
        yield from _unless(
            shows in ((True, False, False), (False, True, True)),
            where,
            "a tile shows a gain and amount, or a die",
        )
        yield from _unless(tile.id not in seen, where, f"{tile.id} stands twice; raise its copies")
        yield from _unless(tile.plus <= tile.copies, where, f"{tile.plus} of {tile.copies} copies carry '+'")
        seen.add(tile.id)
    tiles = box.workshop_tiles.tiles
    total = sum(tile.copies for tile in tiles)
    yield from _unless(
        total == WORKSHOP_TILES, "workshop_tiles.tiles", f"{total} tiles where {WORKSHOP_TILES} are due"
    )
    plain = sum(tile.copies - tile.plus for tile in tiles)
    due = 2 * box.players.banners
    yield from _unless(
        plain >= due, "workshop_tiles.tiles", f"{plain} tiles without '+' where 2 players need {due}"
    )
    due = 4 * box.players.banners
    yield from _unless(total >= due, "workshop_tiles.tiles", f"{total} tiles where 4 players need {due}")


def _check_influence(box: BoxFile) -> Iterator[Fault]:
    ids = Counter(card.id for card in box.influence)
    for group in GROUPS:
        cards = [card for card in box.influence if card.group == group]
        yield from _unless(len(cards) == 3, "influence", f"{len(cards)} cards of the {group} where 3 are due")
        beginners = sum(card.beginner for card in cards)
        yield from _unless(
            beginners == 1, "influence", f"{beginners} beginner cards of the {group} where 1 is due"
        )
    for number, card in enumerate(box.influence):
        yield from _unless(ids[card.id] == 1, f"influence[{number}].id", f"{card.id} stands twice")
        for which, effect in enumerate(card.effects):
            yield from _check_effect(effect, f"influence[{number}].effects[{which}] ({card.id})")


def _check_effect(effect: EffectEntry, where: str) -> Iterator[Fault]:
    pays = _named(effect.pay) if effect.pay else ()
    gains = _named(effect.gain)
    yield from _unless(
        effect.pay is None or len(pays) == 1, f"{where}.pay", f"it must name one thing, not {len(pays)}"
    )
    yield from _unless(len(gains) == 1, f"{where}.gain", f"it must name one thing, not {len(gains)}")
    for codes in ((effect.pay and effect.pay.one_of) or "", effect.gain.one_of or ""):
        yield from _unless(
            len(set(codes)) == len(codes), f"{where}.one_of", f"'{codes}' names a material twice"
        )
    if len(gains) != 1:
        return
    gain = gains[0]
    yield from _unless(pays != ("rubles",) or gain != "rubles", where, "rubles for rubles")
    yield from _unless(
        gain != "other" or pays not in ((), ("rubles",)), where, "'other' than what, if no material is paid"
    )
    if effect.use == "repeat":
        yield from _unless(bool(pays), where, "an effect that costs nothing could be repeated for ever")
        paid = (effect.pay.any or effect.pay.identical or 1) if effect.pay and pays != ("rubles",) else 2
        endless = paid == 1 and gain in ("one_of", "other")
        yield from _unless(not endless, where, "material for material could be repeated for ever")


def _named(entry: Pay | Gain) -> tuple[str, ...]:
    return tuple(name for name in entry.__struct_fields__ if getattr(entry, name) is not None)


def _check_ivan(box: BoxFile) -> Iterator[Fault]:
    ids = Counter(card.id for card in box.ivan)
    for name in IVAN_CARDS:
        yield from _unless(ids[name] == 1, "ivan", f"{ids[name]} cards '{name}' where 1 is due")
    yield from _unless(len(ids) == len(box.ivan), "ivan", "a card stands twice")


CHECKS: Final[tuple[Callable[[BoxFile], Iterator[Fault]], ...]] = (
    _check_track,
    _check_players,
    _check_workshop,
    _check_cards,
    _check_plans,
    _check_tiles,
    _check_influence,
    _check_ivan,
)
"""What a box must fulfil; each names all entries that do not."""
