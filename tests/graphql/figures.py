"""What was counted of GraphQL operations."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from service.observe.figures import GRAPHQL


def counted() -> Counter[tuple[str, str]]:
    """How many operations were carried out how, and why."""
    return Counter(
        {
            (sample.labels["how"], sample.labels["why"]): int(sample.value)
            for metric in GRAPHQL.collect()
            for sample in metric.samples
        }
    )


@contextmanager
def counting() -> Iterator[Counter[tuple[str, str]]]:
    """What is counted in the block; it is there at its end."""
    before, found = counted(), Counter[tuple[str, str]]()
    yield found
    found.update(counted() - before)
