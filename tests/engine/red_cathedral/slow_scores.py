"""The scores of the second reading. See `slow`."""

from tests.engine.red_cathedral.slow_position import PRESTIGE, Position


class Scores(Position):
    """A position that knows its scores."""

    def totals(self) -> list[int]:
        """The prestige points of every side, as if the match ended now."""
        totals = []
        for seat, player in enumerate(self.players):
            points = sum(space <= player["at"] for space in PRESTIGE)
            if seat < self.seats:
                points += (player["has"].total() + player["rubles"]) // 5
            totals.append(points + sum(self.tower(names)[seat] for names in self.towers))
        return totals

    def tower(self, names: list[str]) -> list[int]:
        """RC-7.4, RC-7.5."""
        sections = [self.sections[name] for name in names]
        worth = sum(2 * section["done"] + (section["ornament"] is not None) for section in sections)
        have = [
            sum(section["done"] and section["owner"] == seat for section in sections)
            + sum(section["ornament"] == seat for section in sections)
            for seat in range(self.sides)
        ]
        if self.sides == 2 and self.house.get("two_seat_towers") != "standard":
            if have[0] == have[1]:
                return [0, 0]
            return [worth if mine == max(have) else worth // 3 if mine else 0 for mine in have]
        values = [worth, worth // 2, worth // 2 // 2, worth // 2 // 2 // 2]
        if self.house.get("tower_places") == "one":
            values[2:] = [1, 0]
        scores = []
        for mine in have:
            place, tied = sum(other > mine for other in have), have.count(mine)
            shared = (
                sum(values[place : place + tied])
                if self.house.get("tower_ties") != "split"
                else values[place]
            )
            scores.append(shared // tied if mine else 0)
        return scores
