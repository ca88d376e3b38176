"""The table as text, at most 80 columns wide."""

import textwrap
from collections.abc import Iterator
from typing import Final

from engine.red_cathedral.boxfile import CODES
from engine.red_cathedral.captions import (
    amounts,
    called,
    captions_in,
    effect_text,
    given,
    letters,
    tile_name,
    words,
)
from engine.red_cathedral.facts import free_places
from engine.red_cathedral.layout import Layout, Place
from engine.red_cathedral.model import (
    DICE,
    IVAN,
    MATERIALS,
    ORNAMENTS,
    RUBLES,
    WORKSHOP,
    Action,
    Build,
    Finish,
    IvanClaim,
    Market,
    Roll,
    State,
    Table,
)
from engine.speech import Captions, Speech

WIDTH: Final = 80
HOUSE_RULES: Final = (
    "market_gain pips",
    "market_roll before",
    "tower_places one",
    "tower_ties split",
    "two_seat_towers standard",
    "trade_moments any",
    "jewel_pairs different",
)
"""The contested rulings as other readings spell them, in the order of the options."""


PAINTS: Final = tuple(
    (rf"\b{colour}\b|\b{colour[0]}[1-6]\b", shade)
    for colour, shade in {
        "yellow": "yellow",
        "blue": "bright_blue",
        "red": "red",
        "green": "green",
        "white": "bright_white",
    }.items()
)
"""Dice and players."""


def picture(layout: Layout, state: State, speech: Speech) -> str:
    """Decision, what was agreed, market ring with influence cards, towers from the top, seats and reserve."""
    captions = captions_in(speech)
    parts = (
        [decision_text(captions, layout, state), *_agreed(captions, layout.table)],
        ["", *_market(captions, layout, state)],
        ["", *_towers(captions, layout, state)],
        ["", *_sides(captions, layout, state)],
    )
    lines = (line for part in parts for line in part)
    return "\n".join(line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in lines)


def decision_text(captions: Captions, layout: Layout, state: State) -> str:
    """What is asked now, of whom."""
    decision = state.decision
    name = called(captions, layout, state.seat)
    who = captions.say("who", round=state.round, seat=state.seat, name=name)
    if isinstance(decision, Action):
        return captions.say("action", who=who)
    if isinstance(decision, Build):
        return captions.say("build", who=who, amount=decision.left)
    if isinstance(decision, Market):
        die = words(captions, (DICE[decision.die],))
        return captions.say("market", who=who, die=die) + _done_so_far(captions, decision)
    if isinstance(decision, Finish):
        return captions.say("finish", who=who)
    if isinstance(decision, IvanClaim):
        return captions.say("ivan", round=state.round)
    if isinstance(decision, Roll):
        return captions.say("roll", who=who, dice=words(captions, (DICE[die] for die in decision.dice)))
    return captions.say("over")


def _done_so_far(captions: Captions, market: Market) -> str:
    effect = captions.say("effect_closed" if market.closed else "effect", effect=market.effect)
    done = [
        word
        for word, is_done in (
            (captions.say("taken"), market.taken),
            (captions.say("activated"), market.activated),
            (effect, market.effect),
        )
        if is_done
    ]
    return f" ({', '.join(done)})" if done else ""


def _agreed(captions: Captions, table: Table) -> list[str]:
    """The options that are not the usual ones. Source: RC-1.10, part 11."""
    told = [captions.say("advanced")] if table.advanced else []
    if table.ivan and table.difficulty != "normal":
        told.append(captions.say(table.difficulty))
    told += [rule for rule, other in zip(HOUSE_RULES, _other_readings(table), strict=True) if other]
    return _wrapped(captions.say("agreed", words=", ".join(told))) if told else []


def _other_readings(table: Table) -> tuple[bool, ...]:
    return (
        table.gain_pips,
        table.roll_before,
        table.third_is_one,
        table.split_ties,
        table.two_as_many,
        table.trade_any,
        table.jewels_differ,
    )


def _market(captions: Captions, layout: Layout, state: State) -> Iterator[str]:
    say = captions.say
    tiles = {space: given(captions, layout.amounts[space], layout.market[space]) for space in range(1, 9)}
    width = max(13, *map(len, tiles.values()))
    yield f"{say('ring'):<{width + 3}} {say('dice'):<11} {say('influence')}"
    for space, tile in tiles.items():
        dice = " ".join(
            f"{DICE[die][0]}{state.pips[die]}" for die in range(len(DICE)) if state.spaces[die] == space
        )
        card = layout.cards[(space - 1) // 2]
        number = 2 - space % 2
        effect = card.effects[number - 1]
        title = say(card.group) if number == 1 else ""
        text = f"{number}{'*' if effect.repeat else ' '} {effect_text(effect, captions.speech)}"
        yield f"{space}  {tile:<{width}} {dice:<11} {title:<11} {text}"
    yield say("die_letters", words=letters(captions, {die[0]: die for die in DICE}))


def _towers(captions: Captions, layout: Layout, state: State) -> Iterator[str]:
    say = captions.say
    yield f"{say('towers'):<6} {say('cost'):<5} {say('there'):<6} {say('reward')}"
    for tower in layout.towers:
        for index in reversed(tower):
            yield _section(captions, layout, state, layout.sections[index])
        yield ""
    yield say("cost_letters", words=letters(captions, dict(zip(CODES, MATERIALS, strict=True))))


def _section(captions: Captions, layout: Layout, state: State, place: Place) -> str:
    section, card = state.sections[place.index], place.card
    there = _letters(section.delivered)
    reward = f"{card.recognition}+{card.rubles}"
    if section.owner is None:
        status = captions.say("tile", tile=tile_name(captions, place.tile))
    else:
        key = "finished" if section.finished else "claimed"
        status = captions.say(key, name=called(captions, layout, section.owner))
    if section.ornament is not None:
        status += f", {ornament_text(captions, layout, place, section.ornament)}"
    return f"{place.name:<6} {_letters(place.cost):<5} {there:<6} {reward:<5} {status}"


def ornament_text(captions: Captions, layout: Layout, place: Place, side: int) -> str:
    """The ornament of a side on a section."""
    ornament = words(captions, (ORNAMENTS[place.kind],))
    return captions.say("ornament", ornament=ornament, name=called(captions, layout, side))


def _letters(counts: tuple[int, ...]) -> str:
    return "".join(code * count for code, count in zip(CODES, counts, strict=True))


def _sides(captions: Captions, layout: Layout, state: State) -> Iterator[str]:
    for side in range(layout.sides):
        yield from _side(captions, layout, state, side)
    yield from _wrapped(f"{captions.say('reserve')}  {amounts(captions, enumerate(state.reserve))}")


def _side(captions: Captions, layout: Layout, state: State, side: int) -> Iterator[str]:
    first, *rest = side_lines(captions, layout, state, side)
    yield f"{captions.say('seat', seat=side)}  {first}"
    for line in rest:
        yield from _wrapped(f"  {line}")
    if layout.solitaire and side == IVAN:
        return
    tiles = [
        f"{words(captions, (space,))} {face}"
        for number, space in enumerate(WORKSHOP)
        if (face := tile_text(captions, layout, state, side, number)) is not None
    ]
    told = captions.say("workshop", tiles=", ".join(tiles) or captions.say("empty"))
    yield from _wrapped(f"  {told}")


def tile_text(captions: Captions, layout: Layout, state: State, side: int, space: int) -> str | None:
    """What lies on a workshop space, None if nothing does."""
    placed = state.players[side].workshop[space]
    if placed is None:
        return None
    if not placed.up:
        return captions.say("face_down")
    return tile_name(captions, layout.sections[placed.section].tile)


def side_lines(captions: Captions, layout: Layout, state: State, side: int) -> list[str]:
    """What a side has, but for its workshop."""
    player, say = state.players[side], captions.say
    left = f", {say('retired')}" if side in state.retired else ""
    last = f", {say('first')}" if side == state.trigger else ""
    points = layout.box.track.prestige(player.position)
    ornaments = ", ".join(
        say(name, amount=count) for count, name in zip(player.ornaments, ORNAMENTS, strict=True)
    )
    name = called(captions, layout, side)
    lines = [
        say("stands", name=name, position=player.position, points=points) + left + last,
        say("pieces", amount=player.banners, ornaments=ornaments) + _locked(captions, layout, state, side),
    ]
    if layout.solitaire and side == IVAN:
        return lines + _ivan(captions, layout, state)
    has = say(
        "has",
        rubles=amounts(captions, ((RUBLES, player.rubles),)),
        goods=amounts(captions, _held(player.inventory)),
        amount=free_places(layout, player),
    )
    return [*lines, has]


def _locked(captions: Captions, layout: Layout, state: State, side: int) -> str:
    if layout.solitaire and side == IVAN:
        return ""
    workshop = state.players[side].workshop
    locked = [
        captions.say(
            "lock",
            ornament=words(captions, (ORNAMENTS[kind],)),
            workshop_space=words(captions, (WORKSHOP[space],)),
        )
        for kind, spaces in enumerate(layout.locks)
        for space in spaces
        if (placed := workshop[space]) is None or not placed.up
    ]
    return f"; {captions.say('locked', ornaments=', '.join(locked))}" if locked else ""


def _ivan(captions: Captions, layout: Layout, state: State) -> list[str]:
    ivan = state.ivan
    assert ivan is not None
    names = [captions.speech.say(card) for card in layout.table.ivan]
    row = [f"[{card}]" if place == ivan.next else card for place, card in enumerate(names)]
    return [
        captions.say("ivan_cards", cards=" ".join(row)),
        captions.say(
            "ivan_has",
            goods=amounts(captions, _held(ivan.inventory)),
            built=amounts(captions, _held(ivan.construction)),
        ),
    ]


def _held(counts: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """The resources of which there is something."""
    return ((kind, count) for kind, count in enumerate(counts) if count)


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ")
