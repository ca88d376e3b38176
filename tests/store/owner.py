"""A service to be killed: it owns an embedded store and says on standard output what was acknowledged.

`python -m tests.store.owner <directory>`. First line: the pid of the store's server. Then `<id> <version>`
for every commit, in four matches at once.
"""

import asyncio
import contextlib
import signal
import sys

from service.settings import Settings
from service.store.opening import running_store
from service.store.store import Store, now
from tests.store.records import a_record, an_event, at_version, running


async def play(store: Store, number: int) -> None:
    """Commit one event after the other, for ever."""
    record = a_record(number, created_at=now())
    rev = await store.commit(0, record)
    record = running(record)
    rev = await store.commit(rev, record, snapshots=((0, record.state),))
    version = 0
    while True:
        version += 1
        record = at_version(record, version)
        states = ((version, record.state),) if version % 256 == 0 else ()
        rev = await store.commit(rev, record, (an_event(version),), states)
        sys.stdout.write(f"{record.id} {version}\n")
        sys.stdout.flush()


async def main(directory: str) -> None:
    """Own a store and use it, until SIGTERM."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with running_store(Settings(data_dir=directory)) as (store, _):
        info = (await store._link.call("INFO", "server")).decode()
        sys.stdout.write(f"{info.partition('process_id:')[2].split()[0]}\n")
        sys.stdout.flush()
        await asyncio.gather(*(play(store, number) for number in range(4)))


with contextlib.suppress(asyncio.CancelledError):
    asyncio.run(main(sys.argv[1]))
