"""The legal moves of the second reading. See `slow`."""

import itertools
from collections import Counter
from typing import Any

from tests.engine.red_cathedral.slow_position import (
    BOX,
    DICE,
    EFFECTS,
    JEWELS,
    MATERIALS,
    NAMES,
    WORKSHOP,
    Position,
)


class Judge(Position):
    """A position that knows its legal moves."""

    def legal(self) -> set[str]:
        """All legal moves in notation."""
        if self.over:
            return set()
        if self.pending:
            faces = [[f"{die}{value}" for value in range(1, 7)] for die in DICE if die in self.pending]
            return {"*" + ",".join(roll) for roll in itertools.product(*faces)}
        if self.choosing:
            return {f"ivan:{name}" for name in self.for_ivan()}
        moves = set(self.optional())
        if not self.basic:
            moves |= {*self.claims(), *self.moves_of_dice()}
        if not self.basic or (self.basic == "build" and self.open):
            moves |= {*self.deliveries(), *self.decorations()}
        if self.basic == "market" and self.open:
            moves |= {*self.takes(), *self.influences(), *self.activations(), *self.dones()}
        if self.basic:
            moves.add("end")
        return moves

    def optional(self) -> set[str]:
        """Trade and re-rolls."""
        moves = set()
        if self.me["at"] > 5:
            if self.reserve["rubles"] and (not self.trade_shut or self.house.get("trade_moments") == "any"):
                moves.add("trade")
            if not self.rerolled:
                moves |= {f"reroll:{space}" for space, _ in self.dice.values()}
        return moves

    def dones(self) -> set[str]:
        """Done, if a trade or a re-roll is possible after it."""
        if self.me["at"] <= 5 or self.house.get("market_roll") == "before":
            return set()
        trade = self.reserve["rubles"] and (not self.traded or self.house.get("trade_moments") == "any")
        return {"done"} if trade or not self.rerolled else set()

    def claims(self) -> set[str]:
        """RC-4."""
        if not self.me["banners"]:
            return set()
        return {
            f"claim:{name}:{space}:{way}"
            for name in self.available()
            for space in WORKSHOP
            for way in ("up", "down")
            if space not in self.me["workshop"] and (way == "down" or self.me["rubles"] >= self.price(space))
        }

    def deliveries(self) -> set[str]:
        """RC-5.1, RC-5.2."""
        if not self.left:
            return set()
        return {
            f"deliver:{name}:{m}" for name in self.sections for m in self.wanting(name) if self.me["has"][m]
        }

    def decorations(self) -> set[str]:
        """RC-5.4."""
        moves = set()
        for name, section in self.sections.items():
            kind = next(k for k, figures in BOX["ornaments"].items() if figures["section"] == section["kind"])
            if not section["done"] or section["ornament"] is not None or not self.may_place(kind):
                continue
            for jewels in JEWELS:
                need = self.pieces(kind, jewels)
                if self.house.get("jewel_pairs") == "different" and jewels in (
                    "green+green",
                    "purple+purple",
                ):
                    continue
                if need <= self.me["has"] and need.total() <= self.left:
                    moves.add(f"ornament:{name}" + (f":{jewels}" if jewels else ""))
        return moves

    def moves_of_dice(self) -> set[str]:
        """RC-6.1, RC-6.2."""
        moves = set()
        for name, (space, value) in self.dice.items():
            further = min(7, self.me["rubles"]) if name in ("white", self.colours[self.seat]) else 0
            for extra in range(further + 1):
                stop = (space + value + extra - 1) % 8 + 1
                if sum(other != name and at == stop for other, (at, _) in self.dice.items()) < 3:
                    moves.add(f"move:{name}" + (f"+{extra}" if extra else ""))
        return moves

    def takes(self) -> set[str]:
        """RC-6.4."""
        if "take" in self.done_actions:
            return set()
        space = self.dice[self.die][0]
        thing = self.market[space]
        times = sum(at == space for at, _ in self.dice.values())
        if self.house.get("market_gain") == "pips":
            times = self.value
        full = BOX["resource_tiles"][thing] * times
        if thing == "recognition":
            return {f"take:{full}"}
        return {f"take:{n}" for n in range(1, self.fits(thing, full) + 1)}

    def activations(self) -> set[str]:
        """RC-6.8."""
        if "activate" in self.done_actions:
            return set()
        spaces = ["white1", "white2"] if self.die == "white" else [self.die]
        return {
            f"activate:{space}"
            for space, (tile, up) in self.me["workshop"].items()
            if space in spaces and up and self.fits(*self.benefit(tile))
        }

    def influences(self) -> set[str]:
        """RC-6.5 to RC-6.7."""
        if self.effect_shut:
            return set()
        moves = set()
        for number, effect in enumerate(EFFECTS[self.quadrant_card()], 1):
            if self.effect in (0, number):
                for paid, cost in self.payments(effect.get("pay", {})):
                    if cost <= Counter(self.me["has"]) + Counter(rubles=self.me["rubles"]):
                        moves |= {
                            ":".join(filter(None, (f"influence:{number}", paid, gain)))
                            for gain in self.gains(effect["gain"], cost)
                        }
        return moves

    def gains(self, gain: dict[str, Any], cost: Counter[str]) -> set[str]:
        """The spellings of what an effect can give once the cost is paid; a bare gain is an empty one."""
        if "recognition" in gain:
            return {""}
        if "rubles" in gain:
            return {""} if self.reserve["rubles"] + cost["rubles"] else set()
        if "reroll" in gain:
            return {str(space) for space, _ in self.dice.values()}
        if "deliver" in gain:
            return self.by_effect(gain["deliver"])
        kinds = (
            [NAMES[code] for code in gain["one_of"]]
            if "one_of" in gain
            else [m for m in MATERIALS if not cost[m]]
        )
        material = cost.total() - cost["rubles"]
        able = {m for m in kinds if self.reserve[m] + cost[m] and self.room() + material}
        return able if len(kinds) > 1 else {""} if able else set()

    def by_effect(self, most: int) -> set[str]:
        """One or, in order, two deliveries."""
        pairs = [(m, name) for name in self.sections for m in self.wanting(name) if self.me["has"][m]]
        found = {f"{m}>{name}" for m, name in pairs}
        if most == 2:
            for one, two in itertools.product(pairs, repeat=2):
                needs = Counter([one[0], two[0]]) <= self.me["has"]
                if needs and (one != two or self.wanting(one[1])[one[0]] > 1):
                    found.add(f"{one[0]}>{one[1]},{two[0]}>{two[1]}")
        return found
