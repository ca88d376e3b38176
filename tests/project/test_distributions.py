"""`engine`, `schema` and `service` are plain words: nothing else that is installed may claim them."""

import importlib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.project.sources import PACKAGES, ROOT


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_distribution_provides_the_package(package: str) -> None:
    # An editable install lists no modules, hence none at all is fine too.
    assert set(packages_distributions().get(package, [])) <= {"cantiere"}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_tested_is_this_one(package: str) -> None:
    file = importlib.import_module(package).__file__
    assert file is not None
    assert Path(file).parent == ROOT / package
