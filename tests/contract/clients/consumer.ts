// A program with the types made from the schema: it compiles only as long as they say what it relies on.
import type {
  AnnounceMutation,
  AnnounceMutationVariables,
  EventsSubscription,
  PlayMutation,
  PlayMutationVariables,
  TableQuery,
} from './generated.js';

export function chosen(table: TableQuery): PlayMutationVariables | null {
  const match = table.match;
  if (!match || match.status !== 'running') return null;
  const [first] = match.legalMoves;
  return first ? { id: match.id, version: match.version, moves: [first.notation] } : null;
}

export function told({ play }: PlayMutation): string {
  switch (play.__typename) {
    case 'Played':
      return play.events.map((event) => event.text).join(' ');
    case 'IllegalMove':
      return `${play.reasons.map((reason) => `${reason.rule}: ${reason.text}`).join(' ')} ${play.closest.join(', ')}`;
    case 'StaleVersion':
      return `${play.version}: ${(play.legalMoves ?? []).join(', ')}`;
    default:
      return `${play.code}: ${play.detail}`;
  }
}

export function after({ matchEvents }: EventsSubscription): number {
  return matchEvents.kind === 'outcome' ? matchEvents.version : matchEvents.version + 0;
}

export const cup: AnnounceMutationVariables = {
  name: 'Cup',
  game: 'any',
  seats: 2,
  format: { roundRobin: { rounds: 2 } },
  stopping: { sprt: { elo1: 20 } },
};
// @ts-expect-error exactly one format is given
export const both: AnnounceMutationVariables = { ...cup, format: { roundRobin: {}, arena: {} } };

export function leader({ createTournament: made }: AnnounceMutation): string {
  if (made.__typename !== 'TournamentChanged') return `${made.code}: ${made.detail}`;
  const [first] = made.tournament.standings.standings;
  return first ? `${first.name} ${first.points}` : '';
}
