"""The repository builds anywhere: it names no package index and no path of the machine it was written on."""

from tests.project.sources import name_of, tracked_files

# In pieces, so that this file does not find itself.
ADDRESSES = tuple(
    "".join(pieces).encode()
    for pieces in (
        ("files.python", "hosted"),
        ("pypi.org/", "simple"),
        ("registry.", "npmjs"),
        ("registry.", "yarnpkg"),
        ("index", "-url"),
        ("/wo", "rk/"),
        ("/ro", "ot/"),
        ("file:", "///"),
    )
)
VENDORED = ("vendor", "explorer")
"""Folders of libraries that came as they are: what is in them is not ours to change."""


def test_no_file_names_an_index_or_a_machine() -> None:
    named = [
        f"{name_of(path)}: {address.decode()}"
        for path in tracked_files()
        if not {*path.parts} & {*VENDORED}
        for content in [path.read_bytes()]
        for address in ADDRESSES
        if address in content
    ]
    assert named == []
