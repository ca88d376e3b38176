"""`cantiere smoke`: a match through a service as it is deployed."""

from pathlib import Path

from engine.registry import GAMES
from tests.cli.running import cantiere, serving


def test_a_working_deployment_is_said_to_work(tmp_path: Path) -> None:
    with serving(tmp_path / "log", tmp_path / "data", "--workers", "2") as (_, url):
        done = cantiere("smoke", url, "--game", "torri-di-bologna")
    assert done.returncode == 0, done.stderr
    assert "events follow the rules" in done.stdout


def test_a_deployment_with_a_box_of_its_own_works_too(tmp_path: Path) -> None:
    game = GAMES["torri-di-bologna"]
    box = tmp_path / "box.toml"
    box.write_bytes(game.box.replace(game.edition.name.encode(), b"mine", 1))
    with serving(tmp_path / "log", tmp_path / "data", CANTIERE_BOXES=f"{game.slug}={box}") as (_, url):
        done = cantiere("smoke", url, "--game", game.slug)
    assert done.returncode == 0, done.stderr
    assert "events follow the rules" in done.stdout


def test_a_server_that_is_not_there_is_said_not_to_be(tmp_path: Path) -> None:
    done = cantiere("smoke", "http://127.0.0.1:9", "--patience", "0")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
