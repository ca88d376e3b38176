"""A tournament without a service: each match is played by processes that are made for it."""

import asyncio
import os
import signal
import time
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from engine.chance import commitment
from engine.transcript import Transcript
from service.cli.exits import Failure
from service.cli.output import distinct
from service.cli.processes import command_of, environment_of_others
from service.cli.tournament_plan import Held, Plan
from service.cli.tournament_table import progress_shown
from service.tournaments.check import check
from service.tournaments.ledger import Ledger
from service.tournaments.local import Asked, Told
from service.tournaments.manifest import Entrant, Limits, Manifest, digest
from service.tournaments.record import Ended, Entry, MatchOrder, Ordered, Record
from service.tournaments.schedule import due, is_over, room_for

Show = Callable[[Record], None]


def hold_here(plan: Plan) -> Held:
    """The tournament, held with luck that the matches of a deal share. Raises BadSetup, Failure.

    The seed of the plan is the secret one of the event: everything follows from it, unless thinking was cut
    short. Nobody has a clock: players take no more time for a choice than the plan gives them.
    """
    manifest = manifest_of(plan)
    check(manifest, plan.game)
    with progress_shown() as show:
        return asyncio.run(_Event(plan, manifest).run(show))


def manifest_of(plan: Plan) -> Manifest:
    """The manifest of a local tournament: its entrants are of this machine, and forget."""
    asked, game = plan.asked, plan.game
    names = zip(plan.players, distinct(plan.players), strict=True)
    return Manifest(
        name=asked.name,
        game=game.slug,
        rules=game.rules,
        edition=game.edition,
        seats=asked.seats,
        entrants=tuple(
            Entrant(id=name, name=name, kind="local", bot=f"--player {player} --think {plan.think:g}")
            for player, name in names
        ),
        format=asked.format,
        design=asked.design,
        luck="shared",
        limits=Limits(at_once=plan.workers, per_entrant=asked.limits.per_entrant),
        commitment=commitment(plan.seed),
    )


class _Event:
    """The tournament while it is held."""

    def __init__(self, plan: Plan, manifest: Manifest) -> None:
        self._plan = plan
        self._players = dict(zip(distinct(plan.players), plan.players, strict=True))
        self._record = Record(manifest=manifest, hash=digest(manifest))
        self._ledger = Ledger(self._record)
        self._transcripts: dict[int, Transcript] = {}
        self._running: dict[int, asyncio.Task[Told]] = {}

    async def run(self, show: Show) -> Held:
        """Play it to its end."""
        try:
            while not is_over(self._ledger):
                if orders := due(self._ledger):
                    self._write(Ordered(orders=orders, at=_now()))
                for order in tuple(room_for(self._ledger, self._running)):
                    self._running[order.number] = asyncio.create_task(self._played(order))
                show(self._record)
                await self._count_what_ended()
        finally:
            await self._leave()
        record = replace(self._record, seed=self._plan.seed.hex())
        return Held(record, sorted(self._transcripts.items()))

    async def _played(self, order: MatchOrder) -> Told:
        players = tuple(self._players[entrant] for entrant in order.entrants)
        manifest = self._record.manifest
        return await answered(Asked(manifest, order, self._plan.seed, players, self._plan.think))

    async def _count_what_ended(self) -> None:
        await asyncio.wait(self._running.values(), return_when=asyncio.FIRST_COMPLETED)
        for number in [number for number, task in self._running.items() if task.done()]:
            told = self._running.pop(number).result()
            self._transcripts[number] = told.transcript
            self._write(Ended(result=told.result, at=_now()))

    def _write(self, entry: Entry) -> None:
        self._record = self._record.with_entries((entry,))
        self._ledger.add(entry)

    async def _leave(self) -> None:
        """No match goes on."""
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)


async def answered(asked: Asked) -> Told:
    """What came of a match, in a process of its own. Raises Failure if the process fails."""
    process = await asyncio.create_subprocess_exec(
        *command_of("service.tournaments.local"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment_of_others(),
        start_new_session=True,
    )
    try:
        told, _ = await process.communicate(msgspec.json.encode(asked))
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    if process.returncode:
        raise Failure(f"the process of match {asked.order.number} ended with status {process.returncode}")
    return msgspec.json.decode(told, type=Told)


def _now() -> int:
    return time.time_ns() // 1_000_000
