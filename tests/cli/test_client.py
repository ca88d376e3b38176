"""The client repeats what was not answered, says everything once, and waits as long as it is asked to."""

import json
from itertools import pairwise

import pytest

from service.client import BadAnswer, Client, Refused, Unreachable
from service.client.tries import checked_url, retry_after
from tests.cli.scripted import Answer, Scripted, problem

GAMES = b'{"games": []}'


@pytest.mark.parametrize(
    "first",
    [Answer(0), Answer(502), Answer(503), Answer(504), Answer(429), problem(409, code="request_in_progress")],
)
def test_what_was_not_answered_is_sent_again_with_the_same_key(scripted: Scripted, first: Answer) -> None:
    played = {"version": 5, "status": "running", "events": [], "played": 1, "toMove": 1}
    script = scripted(first, first, Answer(200, json.dumps(played).encode()))
    with Client(script.url) as client:
        assert client.play("m", 4, ("a",), "secret").version == 5
    assert len(script.heard) == 3
    assert len({(heard.path, heard.key, heard.authorization) for heard in script.heard}) == 1
    assert script.heard[0].authorization == "Bearer secret"
    assert len(script.heard[0].key or "") >= 22


def test_two_requests_have_two_keys(scripted: Scripted) -> None:
    script = scripted(problem(404))
    with Client(script.url) as client:
        for _ in range(2):
            with pytest.raises(Refused):
                client.join("m")
    assert script.heard[0].key != script.heard[1].key


def test_retry_after_is_honoured(scripted: Scripted) -> None:
    script = scripted(Answer(429, headers=(("retry-after", "1"),)), Answer(200, GAMES))
    with Client(script.url) as client:
        assert client.games() == ()
    assert script.heard[1].at - script.heard[0].at >= 1


def test_a_server_that_asks_for_more_patience_than_there_is_is_given_up_at_once(scripted: Scripted) -> None:
    script = scripted(Answer(503, headers=(("retry-after", "3600"),)))
    with Client(script.url, patience=5) as client, pytest.raises(Unreachable, match="status 503"):
        client.games()
    assert len(script.heard) == 1


def test_pauses_grow(scripted: Scripted) -> None:
    script = scripted(Answer(503))
    with Client(script.url, patience=1.5) as client, pytest.raises(Unreachable):
        client.games()
    times = [heard.at for heard in script.heard]
    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert 3 <= len(pauses) <= 8
    assert pauses[-1] > 2 * pauses[0]


def test_a_refusal_has_the_problem(scripted: Scripted) -> None:
    script = scripted(problem(404))
    with Client(script.url) as client, pytest.raises(Refused, match="There is no match") as caught:
        client.match("m")
    assert (caught.value.code, caught.value.problem.status) == ("no_such_match", 404)
    assert len(script.heard) == 1


@pytest.mark.parametrize(
    "answer", [Answer(200, b"<html>"), Answer(200, b"{}"), Answer(404, b"<html>"), Answer(500)]
)
def test_another_kind_of_server_is_recognized(scripted: Scripted, answer: Answer) -> None:
    script = scripted(answer)
    with Client(script.url) as client, pytest.raises(BadAnswer):
        client.games()


def test_retry_after_is_seconds_or_a_date() -> None:
    assert retry_after("7") == 7
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry_after("Fri, 31 Dec 2100 23:59:59 GMT") > 1e9
    assert retry_after("soon") == retry_after("") == retry_after("-1") == 0


def test_an_address_names_a_scheme_and_a_host() -> None:
    assert checked_url("http://here:8000/") == "http://here:8000"
    for text in ("here", "http://", "ftp://here", "http://here:port", "http://\x00"):
        with pytest.raises(ValueError, match="is no address"):
            checked_url(text)
