"""The files the guards look at."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "schema", "service")
MODULES = tuple(path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))


def name_of(path: Path) -> str:
    """A path as people write it: from the root of the repository."""
    return path.relative_to(ROOT).as_posix()


def tracked_files() -> list[Path]:
    """Every file of the repository, and every new one that is not ignored."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]
