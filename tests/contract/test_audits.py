"""The audits of graphql-http: GraphQL over HTTP as others read it, on a server that runs."""

import json
import subprocess
from pathlib import Path

from tests.cli.running import SECONDS
from tests.graphql.served import served

HERE = Path(__file__).parent
AUDITS = 61


def test_all_audits_are_passed(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        done = subprocess.run(
            ["node", "audits.mjs", f"{server.url}/graphql"],
            cwd=HERE,
            capture_output=True,
            text=True,
            check=True,
            timeout=SECONDS,
        )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [audit for audit in told if audit["status"] != "ok"] == []
    assert len(told) == AUDITS
