"""The games that a service plays, and the boxes that it has of each.

Every game has its built-in box. An operator may bring others: component files named by the setting `boxes`.
Several boxes of one game are there side by side; a match is played with its own to the end.
"""

from collections.abc import Iterable
from typing import Final

from engine.errors import BadBox, UnknownGame
from engine.game import Edition
from engine.match import AnyGame
from engine.registry import GAMES, find_game
from service.boxes import VARIABLE, BoxFile, box_files, read_box
from service.errors import EditionMissing, OtherRules, UnknownEdition
from service.settings import BadSettings
from service.store.record import MatchRecord


class Catalogue:
    """Every game with its boxes. The first box of a game is what new matches are played with."""

    __slots__ = ("_games",)

    def __init__(self, own: Iterable[AnyGame] = ()) -> None:
        """The games with their built-in boxes, behind those of `own`, in the order given.

        Raises BadSettings if two boxes of a game have one name.
        """
        own = tuple(own)
        self._games: Final = {
            slug: _distinct(*(game for game in own if game.slug == slug), built_in)
            for slug, built_in in GAMES.items()
        }

    @classmethod
    def of(cls, setting: str) -> "Catalogue":
        """The catalogue with the component files that the setting `boxes` names. Raises BadSettings."""
        return cls(map(_game_in, box_files(setting)))

    @property
    def games(self) -> tuple[AnyGame, ...]:
        """Every game, bound to the box of new matches."""
        return tuple(games[0] for games in self._games.values())

    def editions(self, slug: str) -> tuple[Edition, ...]:
        """The boxes of a game, that of new matches first. Raises UnknownGame."""
        find_game(slug)
        return tuple(game.edition for game in self._games[slug])

    def game(self, slug: str, edition: str | None = None) -> AnyGame:
        """A game with the box that has this name or digest; without one with the box of new matches.

        Raises UnknownGame, UnknownEdition.
        """
        find_game(slug)
        games = self._games[slug]
        if edition is None:
            return games[0]
        for game in games:
            if edition in (game.edition.name, game.edition.digest):
                return game
        known = ", ".join(game.edition.name for game in games)
        raise UnknownEdition(f"There is no edition '{edition[:64]}' of {slug}; there are: {known}.")

    def game_of(self, record: MatchRecord) -> AnyGame:
        """The game of a match, with its box. Raises OtherRules, EditionMissing."""
        rules_of(record)
        for game in self._games[record.game]:
            if game.edition.digest == record.edition_digest:
                return game
        raise EditionMissing(record.edition_name, record.edition_digest)


def rules_of(record: MatchRecord) -> AnyGame:
    """The game by whose rules a match is read, with whatever box: for what does not depend on it.

    Raises OtherRules.
    """
    game = GAMES.get(record.game)
    if game is None:
        raise OtherRules(f"The match is of the game {record.game}, which this release does not have.")
    if game.rules != record.rules:
        raise OtherRules(f"The match was begun with rules {record.rules}; this release has {game.rules}.")
    return game


def _game_in(file: BoxFile) -> AnyGame:
    try:
        return find_game(file.slug).with_box(read_box(file.path))
    except UnknownGame as error:
        raise BadSettings(f"{VARIABLE}: {error}") from None
    except OSError as error:
        raise BadSettings(f"{VARIABLE}: {file.path} cannot be read: {error.strerror or error}.") from None
    except BadBox as error:
        raise BadSettings(
            f"{VARIABLE}: {file.path} is no box of {file.slug}: {error}."
            f" All about it: cantiere components check {file.path}"
        ) from None


def _distinct(*games: AnyGame) -> tuple[AnyGame, ...]:
    """The games, each box once. Raises BadSettings if different boxes have one name."""
    by_digest = {game.edition.digest: game for game in reversed(games)}
    kept = tuple(game for game in games if by_digest[game.edition.digest] is game)
    names = [game.edition.name for game in kept]
    for name in names:
        if names.count(name) > 1:
            raise BadSettings(
                f"{VARIABLE}: two boxes of {kept[0].slug} are called '{name}':"
                " change the entry `edition` of the one that was edited."
            )
    return kept
