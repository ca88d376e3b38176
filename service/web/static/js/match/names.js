// How the sides of a match are called.
import { named, t } from '../text.js';

/** The player of a seat, or that it is free. */
export function nameOf(seat) {
  if (seat.bot) return named('bot', seat.bot);
  if (seat.name) return seat.name;
  return seat.taken ? t('seat.nameless', { seat: seat.seat }) : t('seat.free');
}

/** Who is to move, by the number that the service says. */
export function moverOf(view, toMove) {
  if (toMove === 'chance') return t('seat.chance');
  return toMove === null || toMove === undefined ? '' : nameOf(view.seats[toMove]);
}
