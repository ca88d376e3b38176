"""A tournament without a service: each match is played by processes that are made for it."""

import asyncio
import os
import secrets
import signal
import time
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from engine.chance import commitment
from engine.transcript import Transcript
from service.cli.exits import BadInput, Failure
from service.cli.output import distinct, out
from service.cli.processes import command_of, environment_of_others
from service.cli.tournament_journal import Head, Journal, Line, journal_in
from service.cli.tournament_plan import Held, Plan
from service.cli.tournament_table import progress_shown
from service.tournaments.check import check
from service.tournaments.ledger import Ledger
from service.tournaments.local import Asked, Told
from service.tournaments.manifest import Entrant, Limits, Manifest, digest
from service.tournaments.record import Ended, MatchOrder, Ordered, Record
from service.tournaments.schedule import due, is_over, room_for

Show = Callable[[Record], None]


def hold_here(plan: Plan) -> Held:
    """The tournament, held with luck that the matches of a deal share. Raises BadSetup, Failure.

    The seed of the plan is the secret one of the event: everything follows from it, unless thinking was cut
    short. Nobody has a clock: players take no more time for a choice than the plan gives them. What was
    played before this was interrupted is not played again.
    """
    check(manifest_of(plan, plan.seed or b""), plan.game)
    with journal_in(plan.directory) as journal:
        event = _Event(plan, _begun(plan, journal), journal)
        with progress_shown() as show:
            return asyncio.run(event.run(show))


def _begun(plan: Plan, journal: Journal) -> Head:
    """What the journal says is held, which is what the plan says. Raises BadInput."""
    before = journal.head
    seed = plan.seed or (bytes.fromhex(before.seed) if before else secrets.token_bytes(32))
    head = Head(manifest_of(plan, seed), seed.hex())
    if before is None:
        journal.write(head)
        return head
    if head != before:
        raise BadInput(
            f"{plan.directory} holds a tournament that is not over and was begun with other options; give"
            " those to go on with it, or another directory"
        )
    ended = sum(isinstance(line.entry, Ended) for line in journal.lines)
    out.print(f"Going on with what was begun: {ended} matches are played.")
    return head


def manifest_of(plan: Plan, seed: bytes) -> Manifest:
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
        commitment=commitment(seed),
    )


class _Event:
    """The tournament while it is held."""

    def __init__(self, plan: Plan, head: Head, journal: Journal) -> None:
        self._plan = plan
        self._seed = bytes.fromhex(head.seed)
        self._journal = journal
        self._players = dict(zip(distinct(plan.players), plan.players, strict=True))
        self._record = Record(manifest=head.manifest, hash=digest(head.manifest))
        self._ledger = Ledger(self._record)
        self._transcripts: dict[int, Transcript] = {}
        for line in journal.lines:
            self._take(line)
        self._running: dict[int, asyncio.Task[Told]] = {}

    async def run(self, show: Show) -> Held:
        """Play it to its end."""
        try:
            while not is_over(self._ledger):
                if orders := due(self._ledger):
                    self._write(Line(Ordered(orders=orders, at=_now())))
                for order in tuple(room_for(self._ledger, self._running)):
                    self._running[order.number] = asyncio.create_task(self._played(order))
                show(self._record)
                await self._count_what_ended()
        finally:
            await self._leave()
        record = replace(self._record, seed=self._seed.hex())
        return Held(record, sorted(self._transcripts.items()))

    async def _played(self, order: MatchOrder) -> Told:
        players = tuple(self._players[entrant] for entrant in order.entrants)
        manifest = self._record.manifest
        return await answered(Asked(manifest, order, self._seed, players, self._plan.think))

    async def _count_what_ended(self) -> None:
        await asyncio.wait(self._running.values(), return_when=asyncio.FIRST_COMPLETED)
        for number in [number for number, task in self._running.items() if task.done()]:
            told = self._running.pop(number).result()
            self._write(Line(Ended(result=told.result, at=_now()), told.transcript))

    def _write(self, line: Line) -> None:
        self._journal.write(line)
        self._take(line)

    def _take(self, line: Line) -> None:
        self._record = self._record.with_entries((line.entry,))
        self._ledger.add(line.entry)
        if isinstance(line.entry, Ended) and line.transcript:
            self._transcripts[line.entry.result.order] = line.transcript

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
