"""What can be said of the deployment's files without a container engine."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import yaml

from service.settings import Settings, variable_of
from tests.project.sources import ROOT

DEPLOY = ROOT / "deploy"


def composed() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return loaded


def test_the_dockerfile_has_no_findings() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("hadolint"), DEPLOY / "Dockerfile"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_every_path_that_the_image_copies_exists() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    paths = [path for line in copied for path in line.split()]
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
    kept = (DEPLOY / "Dockerfile.dockerignore").read_text()
    assert [path for path in paths if f"!{path}" not in kept] == []


def test_workers_of_the_composition_have_settings_that_exist() -> None:
    services = composed()["services"]
    for worker in ("worker1", "worker2"):
        environment = services[worker]["environment"] | {"CANTIERE_SECRET": "x" * 32}
        assert not Settings.from_env(environment).is_embedded


def test_the_composition_refers_to_what_is_there() -> None:
    parts = composed()
    assert set(parts["services"]) == {"store", "worker1", "worker2", "proxy"}
    for part in parts["services"].values():
        for volume in part.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in parts["volumes"] or (DEPLOY / source).exists()
        assert set(part.get("depends_on", ())) <= set(parts["services"])
    servers = set(re.findall(r"server (worker\d):8000", (DEPLOY / "nginx.conf").read_text()))
    assert servers == {name for name in parts["services"] if name.startswith("worker")}


def test_the_reference_of_settings_is_the_one_of_the_code() -> None:
    fields = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"]
    rows = {
        name: f"| `{variable_of(name)}` | {field['default'] or ''} | {field['description']} |"
        for name, field in fields.items()
    }
    of_graphql = [row for name, row in rows.items() if name.startswith("graphql")]
    others = [row for name, row in rows.items() if not name.startswith("graphql")]
    for group in (others, of_graphql):
        table = "\n".join(["| variable | default | meaning |", "|---|---|---|", *group])
        assert f"{table}\n" in (DEPLOY / "ENVIRONMENT.md").read_text(), table


def test_workers_believe_the_proxy_and_nobody_else() -> None:
    parts = composed()
    (network,) = (entry["subnet"] for entry in parts["networks"]["inside"]["ipam"]["config"])
    for worker in ("worker1", "worker2"):
        assert parts["services"][worker]["environment"]["CANTIERE_TRUSTED_PROXIES"] == network
    forwarded = re.findall(r"proxy_set_header X-Forwarded-For (\S+);", (DEPLOY / "nginx.conf").read_text())
    assert forwarded == ["$proxy_add_x_forwarded_for"]
