"""Transcripts that cannot be read, or that do not follow the rules, are refused with the place at fault."""

import msgspec
import pytest

from engine.errors import BadTranscript
from engine.match import digest
from engine.registry import find_game
from engine.transcript import Transcript, opening, parse_json, parse_text, replay, write_json, write_text
from tests.conformance.walks import random_match

GAME = find_game("torri-di-bologna")


@pytest.fixture(scope="module")
def played() -> Transcript:
    walk = random_match(GAME, 2, 11)
    steps = list(walk.steps)
    return Transcript(
        game=GAME.slug,
        rules=GAME.rules,
        edition=GAME.edition,
        deal=msgspec.json.decode(msgspec.json.encode(walk.deal)),
        match="m1",
        names=("Ada: \u2028 'x'", None),
        given=("seed",),
        commitment="c0",
        nonces=("", "n"),
        seed="5eed",
        events=tuple(step.event for step in steps),
        digest=digest(steps[-1].state),
        ranks=(1, 2),
    )


def test_text_and_json_give_the_same_back(played: Transcript) -> None:
    assert parse_text(write_text(played)) == played
    assert parse_json(write_json(played)) == played


def test_the_text_is_for_people(played: Transcript) -> None:
    lines = write_text(played).split("\n")
    assert lines[0] == "cantiere-transcript 1"
    assert 'game: "torri-di-bologna"' in lines
    assert f"1 0 {played.events[0].move}" in lines


def refused(text: str) -> BadTranscript:
    with pytest.raises(BadTranscript) as caught:
        list(replay(parse_text(text)))
    return caught.value


@pytest.mark.parametrize("text", ["", "\n", "cantiere-transcript 2\n", "hello", "{}"])
def test_another_document_is_refused(text: str) -> None:
    assert refused(text).line == 1


def test_unknown_and_doubled_entries_are_refused_by_line(played: Transcript) -> None:
    head, body = write_text(played).split("\n\n")
    assert refused(f"{head}\nluck: 7\n\n{body}").line == len(head.split("\n")) + 1
    assert refused(f"{head}\nrules: 1\n\n{body}").line == len(head.split("\n")) + 1
    assert refused(f"{head}\nrules\n\n{body}").line == len(head.split("\n")) + 1
    broken = head.replace("rules: 1", "rules: {")
    assert refused(f"{broken}\n\n{body}").line == 1 + broken.split("\n").index("rules: {")


def test_a_line_that_is_no_event_is_refused_by_line(played: Transcript) -> None:
    lines = write_text(played).split("\n")
    for wrong in ("5", "x 0 place:a", "5 z place:a", "5 0 place:a maybe", "5 0 place:a forced again"):
        assert refused("\n".join([*lines, wrong])).line == len(lines) + 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rules: 1", "rules: 99"),
        ('game: "torri-di-bologna"', 'game: "chess"'),
        ('"seats":2', '"seats":3'),
        (" place:a\n", " walk:a1\n"),
        ("\n2 1 ", "\n2 0 "),
        ("\n2 1 ", "\n3 1 "),
        ('digest: "', 'digest: "0'),
    ],
)
def test_what_does_not_follow_the_rules_is_refused(played: Transcript, old: str, new: str) -> None:
    text = write_text(played).replace("place:g", "place:a")
    assert old in text
    refused(text.replace(old, new, 1))


def test_another_edition_is_refused_by_name(played: Transcript) -> None:
    other = msgspec.structs.replace(played, edition=msgspec.structs.replace(played.edition, name="mine"))
    with pytest.raises(BadTranscript, match="mine"):
        opening(other)


def test_json_that_is_none_or_has_too_much_is_refused(played: Transcript) -> None:
    for data in (b"", b"[]", b"{", write_json(played).replace(b'{"game"', b'{"luck":7,"game"', 1)):
        with pytest.raises(BadTranscript):
            parse_json(data)


@pytest.mark.parametrize("number", ["9" * 5_000, "٣", "-1", "1.0"])
def test_a_number_of_no_sensible_size_or_script_is_refused_by_line(played: Transcript, number: str) -> None:
    text = write_text(played).replace("\n1 0 ", f"\n{number} 0 ")
    assert refused(text).line > 1


def test_values_nested_without_end_are_refused(played: Transcript) -> None:
    nested = "[" * 100_000
    assert refused(write_text(played).replace('match: "m1"', f"match: {nested}")).line > 1
    with pytest.raises(BadTranscript):
        parse_json(write_json(played).replace(b'"m1"', nested.encode()))
