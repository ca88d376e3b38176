"""The figures: what is counted and timed, in this process.

With `DIRECTORY` in the environment when this is imported, every process writes its figures to files there,
and any of them tells those of all; else each has its own.
"""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

DIRECTORY: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of prometheus_client that names the directory of the figures of several processes."""
REGISTRY: Final = CollectorRegistry()
_ANSWERS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_ROUND_TRIPS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0)
_LAGS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)

disable_created_metrics()

REQUESTS: Final = Histogram(
    "cantiere_request_duration_seconds",
    "Time from a request to the start of its answer, by operation and class of status.",
    ("operation", "status"),
    buckets=_ANSWERS,
    registry=REGISTRY,
)
REFUSALS: Final = Counter(
    "cantiere_refusals", "Requests answered with a problem, by its code.", ("code",), registry=REGISTRY
)
LIMITED: Final = Counter(
    "cantiere_rate_limited", "Requests refused for their number, by bucket.", ("bucket",), registry=REGISTRY
)
MOVES: Final = Counter(
    "cantiere_moves", "Moves of seats that are stored, by game.", ("game",), registry=REGISTRY
)
CREATED: Final = Counter("cantiere_matches_created", "Matches made, by game.", ("game",), registry=REGISTRY)
STARTED: Final = Counter("cantiere_matches_started", "Matches dealt, by game.", ("game",), registry=REGISTRY)
OVER: Final = Counter(
    "cantiere_matches_over",
    "Matches that have ended, by game and how: finished, aborted, cancelled.",
    ("game", "how"),
    registry=REGISTRY,
)
FLAGS: Final = Counter(
    "cantiere_clock_flags", "Seats whose time was up, by game.", ("game",), registry=REGISTRY
)
STREAMS: Final = Gauge(
    "cantiere_streams_open",
    "Streams and long polls under way.",
    multiprocess_mode="livesum",
    registry=REGISTRY,
)
SENT: Final = Counter(
    "cantiere_stream_messages", "Messages sent on streams, heartbeats among them.", registry=REGISTRY
)
CUT: Final = Counter(
    "cantiere_streams_cut", "Streams cut because their client did not keep up.", registry=REGISTRY
)
GRAPHQL: Final = Counter(
    "cantiere_graphql_operations",
    "GraphQL operations, by how they were carried out: compiled, ordinary, or unfinished, which is begun as"
    " the one and finished as the other; and why not the first.",
    ("how", "why"),
    registry=REGISTRY,
)
STORE: Final = Histogram(
    "cantiere_store_round_trip_seconds",
    "Time of the calls that the store answered.",
    buckets=_ROUND_TRIPS,
    registry=REGISTRY,
)
STORE_FAILURES: Final = Counter(
    "cantiere_store_failures", "Calls that the store did not answer.", registry=REGISTRY
)
STORE_CONNECTIONS: Final = Counter(
    "cantiere_store_connections",
    "Connections made to the store, the first of a worker too.",
    registry=REGISTRY,
)
STORE_LOSSES: Final = Counter("cantiere_store_losses", "Connections to the store lost.", registry=REGISTRY)
LAG: Final = Histogram(
    "cantiere_event_loop_lag_seconds",
    "How much later than due something runs in a worker, looked at twice a second.",
    buckets=_LAGS,
    registry=REGISTRY,
)
