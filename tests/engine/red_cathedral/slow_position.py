"""The table of the second reading: what lies on it, and simple questions about it. See `slow`."""

import tomllib
from collections import Counter
from importlib import resources
from typing import Any

BOX = tomllib.loads(resources.files("engine.red_cathedral").joinpath("components.toml").read_text())
NAMES = dict(zip("lbsgea", ("lumber", "brick", "stone", "gold", "green", "purple"), strict=True))
MATERIALS = list(NAMES.values())
COLOURS = ["yellow", "blue", "red", "green"]
DICE = [*COLOURS, "white"]
WORKSHOP = [*COLOURS, "white1", "white2"]
JEWELS = {"": 0, "green": 1, "purple": 1, "green+purple": 2, "green+green": 2, "purple+purple": 2}
PRESTIGE = [lap * 80 + space for lap in range(9) for space in BOX["track"]["prestige"]]
EFFECTS = {card["id"]: card["effects"] for card in BOX["influence"]}
IVAN_DICE = {card["id"]: card["die"] for card in BOX["ivan"]}


class Position:
    """What lies on the table, from a deal document (RC-1.11) on."""

    def __init__(self, deal: dict[str, Any]) -> None:
        plain = {"workshop": "basic", "turn_limit": 200, "difficulty": "normal", "colours": []}
        self.options: dict[str, Any] = plain | deal["options"]
        self.house: dict[str, str] = deal["options"].get("house_rules", {})
        self.seats = deal["seats"]
        self.solo = self.seats == 1
        self.sides = max(self.seats, 2)
        chosen = list(self.options["colours"])
        self.colours = chosen + [colour for colour in COLOURS if colour not in chosen]
        self.market = dict(enumerate(deal["market"], 1))
        self.cards = deal["influence"]
        self.dice = {name: list(deal["dice"][name]) for name in DICE}
        self.reserve = dict(BOX["reserve"])
        self.towers: list[list[str]] = []
        self.sections: dict[str, dict[str, Any]] = {}
        self._lay(deal)
        self.players = [self._player(seat) for seat in range(self.sides)]
        self.row = list(deal.get("ivan", []))
        self.card = ""
        self.ivan: dict[str, Any] = {"next": 0, "inventory": Counter(), "construction": Counter()}
        self.seat, self.round = 0, 1
        self.trigger: int | None = None
        self.retired: list[int] = []
        self.over = False
        self.pending: list[str] | None = None
        self.then = "stay"
        self.begin()

    def _lay(self, deal: dict[str, Any]) -> None:
        for number, (cards, tiles) in enumerate(zip(deal["cards"], deal["workshop_tiles"], strict=True)):
            names = [f"{'abcdefghij'[number]}{level}" for level in range(1, len(cards) + 1)]
            self.towers.append(names)
            for level, (name, card, tile) in enumerate(zip(names, cards, tiles, strict=True)):
                kind = "base" if level == 0 else "dome" if level == len(cards) - 1 else "middle"
                figures = BOX["cards"][kind][card]
                cost = Counter(NAMES[code] for code in figures["cost"])
                self.sections[name] = {"kind": kind, "cost": cost, "reward": figures, "tile": tile}
                self.sections[name] |= {"owner": None, "lies": Counter(), "done": False, "ornament": None}

    def _player(self, seat: int) -> dict[str, Any]:
        rubles = 0 if seat >= self.seats else BOX["players"]["start_rubles"][seat]
        self.reserve["rubles"] -= rubles
        ornaments = dict(BOX["players"]["ornaments"])
        return {
            "at": 2,
            "rubles": rubles,
            "has": Counter(),
            "banners": 6,
            "ornaments": ornaments,
            "workshop": {},
        }

    def begin(self) -> None:
        """A fresh turn of the seat."""
        self.basic = ""  # claim, build, market
        self.open = False
        self.left = 3
        self.die, self.value = "", 0
        self.done_actions: set[str] = set()
        self.effect, self.effect_shut = 0, False
        self.traded, self.trade_shut, self.rerolled = False, False, False
        self.choosing = False

    @property
    def me(self) -> dict[str, Any]:
        """The player whose turn it is."""
        return self.players[self.seat]

    def to_move(self) -> int | None:
        """A seat, -1 for chance, None when it is over."""
        if self.over:
            return None
        return -1 if self.pending else 0 if self.choosing else self.seat

    def available(self) -> list[str]:
        """Sections that a banner may go on."""
        free = []
        for names in self.towers:
            for level, name in enumerate(names):
                if self.sections[name]["owner"] is None:
                    if level == 0 or self.sections[names[level - 1]]["owner"] is not None:
                        free.append(name)
                    break
        return free

    def price(self, space: str) -> int:
        """What a face-up tile costs there."""
        if self.options["workshop"] == "advanced":
            return int(BOX["workshop"]["advanced"]["price"])
        prices = BOX["workshop"]["basic"]
        own = space == self.colours[self.seat]
        return int(prices.get(space, prices["own_colour"] if own else prices["other_colour"]))

    def wanting(self, name: str) -> Counter[str]:
        """What an own unfinished section lacks; nothing of any other section."""
        section = self.sections[name]
        if section["owner"] != self.seat or section["done"]:
            return Counter()
        wanted: Counter[str] = section["cost"] - section["lies"]
        return wanted

    def may_place(self, kind: str) -> bool:
        """Whether an unlocked ornament of a kind is left."""
        if self.options["workshop"] == "basic":
            return bool(self.me["ornaments"][kind])
        spaces = BOX["workshop"]["advanced"]["ornament_spaces"]
        opened = [s for s in spaces if spaces[s] == kind and self.me["workshop"].get(s, ("", False))[1]]
        return len(opened) > BOX["players"]["ornaments"][kind] - self.me["ornaments"][kind]

    def pieces(self, kind: str, jewels: str) -> Counter[str]:
        """What an ornament with these jewels takes."""
        return Counter([NAMES[BOX["ornaments"][kind]["cost"]], *filter(None, jewels.split("+"))])

    def room(self) -> int:
        """Free places of the inventory."""
        return int(10 - self.me["has"].total() - max(0, self.me["banners"] - 2))

    def fits(self, thing: str, amount: int) -> int:
        """How much of an amount could be gained."""
        if thing == "recognition":
            return amount
        return min(amount, self.reserve[thing], amount if thing == "rubles" else self.room())

    def benefit(self, tile: str) -> tuple[str, int]:
        """RC-4.6."""
        what, shown = tile.split(":")
        if what == "die":
            thing = self.market[self.dice[shown][0]]
            return thing, BOX["resource_tiles"][thing]
        return what, int(shown)

    def quadrant_card(self) -> str:
        """The influence card of the space where the moved die lies."""
        return str(self.cards[(self.dice[self.die][0] - 1) // 2])

    def payments(self, pay: dict[str, Any]) -> list[tuple[str, Counter[str]]]:
        """Ways to pay: how each is spelled and what it costs."""
        if not pay:
            return [("", Counter())]
        if "rubles" in pay:
            return [("", Counter(rubles=pay["rubles"]))]
        if "identical" in pay:
            return [(m, Counter({m: pay["identical"]})) for m in MATERIALS]
        kinds = MATERIALS if "any" in pay else [NAMES[code] for code in pay["one_of"]]
        return [(m if len(kinds) > 1 else "", Counter([m])) for m in kinds]

    def for_ivan(self) -> list[str]:
        """RC-7.13."""
        free = self.available()
        below = {name: f"{name[0]}{int(name[1]) - 1}" for name in free}
        above = [name for name in free if name[1] != "1" and self.sections[below[name]]["owner"] == 0]
        return above or [name for name in free if name[1] == "1"] or free
