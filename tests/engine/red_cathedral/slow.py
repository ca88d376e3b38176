"""A second reading of the rules: slow, plain and mutable, from the rules' text and the component file alone.

It shares nothing with the engine: moves are text, the table is dictionaries, the figures are read from the
file again. `Table.legal` and `Table.play` are compared with the engine's by the tests.
"""

from collections import Counter

from tests.engine.red_cathedral.slow_judge import Judge
from tests.engine.red_cathedral.slow_position import BOX, EFFECTS, IVAN_DICE, MATERIALS, NAMES, PRESTIGE
from tests.engine.red_cathedral.slow_scores import Scores


class Table(Judge, Scores):
    """A match that can be played."""

    def play(self, text: str) -> None:
        """Carry out a legal move."""
        kind, *parts = text.split(":")
        if kind.startswith("*"):
            self.rolled(text[1:].split(","))
            return
        if kind != "trade" and self.traded:
            self.trade_shut = True
        getattr(self, f"play_{kind}")(*parts)

    def rolled(self, faces: list[str]) -> None:
        """An outcome."""
        for face in faces:
            self.dice[face[:-1]][1] = int(face[-1])
        self.pending = None
        if self.then == "pass":
            self.pass_on()
        elif self.then == "over":
            self.over = True

    def roll(self, space: int, then: str) -> None:
        """All dice of a space are to be rolled."""
        self.pending = [name for name, (at, _) in self.dice.items() if at == space]
        self.then = then

    def gain(self, seat: int, thing: str, amount: int) -> None:
        """As far as it fits."""
        player = self.players[seat]
        if thing == "recognition":
            player["at"] += amount
            return
        amount = min(amount, self.reserve[thing])
        if thing == "rubles":
            player["rubles"] += amount
        else:
            amount = min(amount, self.room())
            player["has"][thing] += amount
        self.reserve[thing] -= amount

    def pay(self, cost: Counter[str]) -> None:
        """To the reserve."""
        for thing, amount in cost.items():
            self.reserve[thing] += amount
            if thing == "rubles":
                self.me["rubles"] -= amount
            else:
                self.me["has"][thing] -= amount

    def prestige(self, points: int) -> None:
        """The next prestige spaces."""
        for _ in range(points):
            self.me["at"] = min(space for space in PRESTIGE if space > self.me["at"])

    def lose_prestige(self) -> None:
        """The nearest one behind."""
        self.me["at"] = max(space for space in PRESTIGE if space < self.me["at"])

    def play_trade(self) -> None:
        self.traded = True
        self.lose_prestige()
        self.gain(self.seat, "rubles", 2)

    def play_reroll(self, space: str) -> None:
        self.rerolled = True
        self.lose_prestige()
        self.roll(int(space), "stay")

    def play_claim(self, name: str, space: str, way: str) -> None:
        self.basic = "claim"
        self.me["banners"] -= 1
        self.sections[name]["owner"] = self.seat
        tile = self.sections[name]["tile"]
        self.me["workshop"][space] = (tile, way == "up")
        if way == "up":
            self.pay(Counter(rubles=self.price(space)))
            self.gain(self.seat, *self.benefit(tile))

    def play_deliver(self, name: str, material: str) -> None:
        self.basic, self.open = "build", True
        self.left -= 1
        self.deliver(name, material)

    def deliver(self, name: str, material: str) -> None:
        """From the inventory."""
        self.me["has"][material] -= 1
        self.lay_on(name, material)

    def lay_on(self, name: str, material: str) -> None:
        """A material on a section, which may finish it. RC-5.3."""
        section = self.sections[name]
        section["lies"][material] += 1
        if section["lies"].total() < section["cost"].total():
            return
        for kind, amount in section["lies"].items():
            self.reserve[kind] += amount
        section["lies"], section["done"] = Counter(), True
        owner = section["owner"]
        self.players[owner]["at"] += section["reward"]["recognition"]
        if owner < self.seats:
            self.gain(owner, "rubles", section["reward"]["rubles"])
        self.penalise(name)
        if self.trigger is None and self.finished(owner) == 6:
            self.trigger = owner
            if not self.solo:
                self.prestige(3)

    def finished(self, seat: int) -> int:
        """How many sections a side has finished."""
        return sum(section["owner"] == seat and section["done"] for section in self.sections.values())

    def penalise(self, name: str) -> None:
        """RC-5.6."""
        names = next(names for names in self.towers if name in names)
        for level, lower in enumerate(names[: names.index(name)]):
            owner = self.sections[lower]["owner"]
            if owner is None or self.sections[lower]["done"]:
                continue
            above = [self.sections[higher] for higher in names[level + 1 :]]
            loss = sum(section["done"] and section["owner"] != owner for section in above)
            self.players[owner]["at"] = max(0, self.players[owner]["at"] - loss)

    def play_ornament(self, name: str, jewels: str = "") -> None:
        self.basic, self.open = "build", True
        section = self.sections[name]
        kind = {"base": "door", "middle": "arch", "dome": "cross"}[section["kind"]]
        need = self.pieces(kind, jewels)
        self.left -= need.total()
        self.pay(need)
        section["ornament"] = self.seat
        self.me["ornaments"][kind] -= 1
        self.prestige({"": 0, "green": 1, "purple": 1, "green+purple": 3}.get(jewels, 2))

    def play_move(self, what: str) -> None:
        self.basic, self.open = "market", True
        self.die, _, extra = what.partition("+")
        self.pay(Counter(rubles=int(extra or 0)))
        space, self.value = self.dice[self.die]
        self.dice[self.die][0] = (space + self.value + int(extra or 0) - 1) % 8 + 1
        if self.house.get("market_roll") == "before":
            self.roll(self.dice[self.die][0], "stay")

    def play_take(self, amount: str) -> None:
        self.done_actions.add("take")
        self.effect_shut |= self.effect > 0
        self.gain(self.seat, self.market[self.dice[self.die][0]], int(amount))

    def play_activate(self, space: str) -> None:
        self.done_actions.add("activate")
        self.effect_shut |= self.effect > 0
        self.gain(self.seat, *self.benefit(self.me["workshop"][space][0]))

    def play_influence(self, number: str, *choices: str) -> None:
        self.effect = int(number)
        effect = EFFECTS[self.quadrant_card()][self.effect - 1]
        self.effect_shut = effect["use"] == "once"
        words = list(choices)
        ways = self.payments(effect.get("pay", {}))
        spelled = words.pop(0) if ways[0][0] else ""
        self.pay(next(cost for paid, cost in ways if paid == spelled))
        gain = effect["gain"]
        if "reroll" in gain:
            self.roll(int(words[0]), "stay")
        elif "deliver" in gain:
            for part in words[0].split(","):
                material, name = part.split(">")
                self.deliver(name, material)
        elif "recognition" in gain or "rubles" in gain:
            self.gain(self.seat, *next(iter(gain.items())))
        else:
            self.gain(self.seat, words[0] if words else NAMES[gain["one_of"]], 1)

    def play_done(self) -> None:
        self.open = False
        self.roll(self.dice[self.die][0], "stay")

    def play_end(self) -> None:
        if self.basic == "market" and self.open and self.house.get("market_roll") != "before":
            self.roll(self.dice[self.die][0], "pass")
        else:
            self.pass_on()

    def pass_on(self) -> None:
        """The next turn, or the end."""
        while True:
            if self.seat == self.sides - 1:
                if self.round == self.options["turn_limit"]:
                    self.over = True
                    return
                self.round += 1
            self.seat = (self.seat + 1) % self.sides
            if self.seat == self.trigger:
                self.over = True
                return
            if self.seat not in self.retired:
                break
        self.begin()
        if self.solo and self.seat == 1:
            self.ivans_turn()

    def retire(self, seat: int) -> None:
        """RC-3.6."""
        self.retired.append(seat)
        if self.seats - len(self.retired) <= 1:
            if self.pending:
                self.then = "over"
            else:
                self.over = True
        elif seat == self.seat:
            if self.pending:
                self.then = "pass"
            else:
                self.pass_on()

    def ivans_turn(self) -> None:
        """RC-7.12 to RC-7.16."""
        card = self.card = self.row[self.ivan["next"]]
        self.ivan["next"] = (self.ivan["next"] + 1) % 5
        strength = BOX["ivan_difficulty"][self.options["difficulty"]]
        if card == "renown":
            self.players[1]["at"] += strength["recognition"]
        if card == "inventory":
            for _ in range(strength["materials"]):
                most = max(MATERIALS, key=lambda m: (self.reserve[m], -MATERIALS.index(m)))
                if self.reserve[most]:
                    self.reserve[most] -= 1
                    self.ivan["inventory"][most] += 1
        if card == "transport":
            self.ivan["construction"] += self.ivan["inventory"]
            self.ivan["inventory"] = Counter()
        if card == "construction":
            self.ivan_builds()
        if card == "claim" and self.players[1]["banners"] and self.available():
            if len(self.for_ivan()) > 1:
                self.choosing = True
                return
            self.ivan_claims(self.for_ivan()[0])
        self.ivan_moves()

    def ivan_builds(self) -> None:
        """RC-7.14, RC-7.15."""
        stock: list[str] = [m for m in MATERIALS for _ in range(self.ivan["construction"][m])]
        for name, section in self.sections.items():
            while stock and section["owner"] == 1 and not section["done"]:
                self.lay_on(name, stock.pop(0))
        self.ivan["construction"] = Counter(stock)
        for section in self.sections.values():
            kind = {"base": "door", "middle": "arch", "dome": "cross"}[section["kind"]]
            if section["done"] and section["ornament"] is None and self.players[1]["ornaments"][kind]:
                section["ornament"] = 1
                self.players[1]["ornaments"][kind] -= 1
                return

    def ivan_claims(self, name: str) -> None:
        """A banner; a printed recognition tile scores."""
        self.sections[name]["owner"] = 1
        self.players[1]["banners"] -= 1
        what, shown = self.sections[name]["tile"].split(":")
        self.players[1]["at"] += int(shown) if what == "recognition" else 0

    def play_ivan(self, name: str) -> None:
        self.choosing = False
        self.ivan_claims(name)
        self.ivan_moves()

    def ivan_moves(self) -> None:
        """The die of the card."""
        die = IVAN_DICE[self.card]
        space, value = self.dice[die]
        space = (space + value - 1) % 8 + 1
        while sum(other != die and at == space for other, (at, _) in self.dice.items()) == 3:
            space = space % 8 + 1
        self.dice[die][0] = space
        self.roll(space, "pass")
