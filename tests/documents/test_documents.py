"""What the documents say is so."""

import re
from pathlib import Path

import pytest

from schema.operations import OPERATIONS
from schema.problems import KINDS
from service.tournaments.check import MEANT, spelled
from tests.documents.blocks import DOCUMENTS
from tests.project.sources import ROOT, name_of


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_to_files(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", document.read_text())
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_the_table_of_problems_is_the_one_of_the_code() -> None:
    rows = [f"| {kind.status} | `{code}` | {kind.title} |" for code, kind in KINDS.items()]
    table = "\n".join(["| status | code | title |", "|---|---|---|", *rows])
    text = (ROOT / "schema/README.md").read_text()
    found = re.search(r"<!-- problems -->\n(.*)<!-- end -->", text, re.DOTALL)
    assert found is not None
    assert found[1].strip() == table


def test_what_faults_can_lead_to_is_what_is_taken() -> None:
    rows = [f"| `{spelled(fault)}` | `{'`, `'.join(then)}` |" for fault, then in MEANT.items()]
    table = "\n".join(["| fault | `then` may be |", "| --- | --- |", *rows, ""])
    assert f"\n\n{table}\n" in (ROOT / "schema/TOURNAMENTS.md").read_text()


def test_every_address_of_the_guide_is_one_of_the_contract() -> None:
    paths = {"/graphql", *(re.sub(r"\{[^}]*\}", "{}", operation.path) for operation in OPERATIONS)}
    text = (ROOT / "schema/README.md").read_text()
    named = set(re.findall(r"(?:GET|POST|DELETE) (/[^?`\s]*)", text))
    assert {re.sub(r"\{[^}]*\}", "{}", path) for path in named} <= paths
