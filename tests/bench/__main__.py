"""Figures of speed: `make bench`, or `make bench ONLY=engine` for one section."""

import sys
import time

from tests.bench import duplicates, engine, graphql, http, peer, snapshot, streams

SECTIONS = {
    "engine": engine.figures,
    "snapshot": snapshot.figures,
    "http": http.figures,
    "graphql": graphql.figures,
    "peer": peer.figures,
    "streams": streams.figures,
    "duplicates": duplicates.figures,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        print(f"No section {', '.join(unknown)}; there are: {', '.join(SECTIONS)}.", file=sys.stderr)
        return 2
    for name in names or SECTIONS:
        started = time.perf_counter()
        print(f"## {name}\n")
        for line in SECTIONS[name]():
            print(line, flush=True)
        print(f"\n({time.perf_counter() - started:.0f} s)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
