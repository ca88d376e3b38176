"""Every text that people read is there in every language, and nothing else is in the catalogues."""

import re
from string import Formatter

import pytest

from engine.match import AnyGame
from engine.registry import GAMES
from engine.speech import Counted, Message
from schema.games import move_kinds, schemas
from schema.problems import KINDS
from service.details import DETAILS
from service.errors import NOT_LEGAL
from service.languages import ENGLISH, TRANSLATED, languages, option_texts, package_of, translation, wanted
from service.views import EVENT_TEXTS
from service.web.guides import Guide, guides_of

LANGUAGES = pytest.mark.parametrize("code", TRANSLATED)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def forms(message: Message, code: str, package: str) -> list[str]:
    """Everything that a message may read in a language."""
    said = translation(package, code)
    if isinstance(message, Counted):
        return [said.count(*message, n) for n in (0, 1, 2, 5, 1_000_000)]
    return [said.say(message)]


def messages_of(game: AnyGame) -> set[Message]:
    return {*game.messages, *option_texts(schemas(game.slug)["options"])}


CATALOGUES: dict[str, set[Message]] = {
    "service": {*(kind.title for kind in KINDS.values()), *EVENT_TEXTS, *DETAILS.values(), NOT_LEGAL},
    **{package_of(game): messages_of(game) for game in GAMES.values()},
}


@LANGUAGES
@pytest.mark.parametrize("package", CATALOGUES)
def test_no_message_is_missing_or_unused(package: str, code: str) -> None:
    assert translation(package, code).known == CATALOGUES[package]


@LANGUAGES
@pytest.mark.parametrize("package", CATALOGUES)
def test_translations_have_no_field_of_their_own(package: str, code: str) -> None:
    for message in CATALOGUES[package]:
        english = message.many if isinstance(message, Counted) else message
        for said in forms(message, code, package):
            assert said.strip()
            assert fields(said) <= fields(english), said


@LANGUAGES
def test_one_and_many_differ_as_they_do_in_english(code: str) -> None:
    for game in GAMES.values():
        said = languages()[code].of(game)
        for counted in (message for message in game.messages if isinstance(message, Counted)):
            assert said.count(*counted, 1) == translation(package_of(game), code).count(*counted, 1)
            assert said.count(*counted, 2) == said.count(*counted, 7)


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"),
        ("pt", "pt"),
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("es-419", "es"),
        ("fr, es;q=0.5, pt;q=0.7", "pt"),
        ("fr", "en"),
        ("*", "en"),
        ("es;q=0, en", "en"),
        ("EN-gb, es", "en"),
        ("x" * 500, "en"),
        (";;;,,q=1", "en"),
    ],
)
def test_the_language_that_a_client_likes_best(header: str, code: str) -> None:
    assert wanted(header).code == code


def test_english_is_what_the_sources_say() -> None:
    for game in GAMES.values():
        for message in game.messages:
            if isinstance(message, Counted):
                assert ENGLISH.of(game).count(*message, 1) == message.one
            else:
                assert ENGLISH.of(game).say(message) == message


def outline(guide: Guide) -> list[list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """By section: what leads to each of its paragraphs."""
    return [[(told.rules, told.moves) for told in section.paragraphs] for section in guide.sections]


def sayings(guide: Guide) -> list[str]:
    return [
        text for part in guide.sections for text in (part.title, *(told.text for told in part.paragraphs))
    ]


@LANGUAGES
@pytest.mark.parametrize("slug", GAMES)
def test_guides_have_the_same_paragraphs_with_the_same_figures(slug: str, code: str) -> None:
    (english,), (other,) = guides_of([GAMES[slug]]), guides_of([GAMES[slug]], code)
    assert (english.language, other.language) == (ENGLISH.code, code)
    assert outline(other) == outline(english)
    for before, after in zip(sayings(english), sayings(other), strict=True):
        assert after != before
        assert set(re.findall(r"\d+", before)) <= set(re.findall(r"\d+", after)), after


def test_labels_name_everything_that_is_counted_and_every_kind_of_move() -> None:
    for slug, game in GAMES.items():
        assert set(move_kinds(slug)) <= game.labels.keys()
        assert set(game.labels.values()) <= set(game.messages)
        assert all(re.fullmatch(r"[a-z_]+", key) for key in game.labels)
