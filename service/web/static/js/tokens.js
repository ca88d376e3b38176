// The tokens of one's seats and matches. They live as long as the tab, or on the device if the reader says so;
// they never stand in an address.
const SEAT = 'cantiere.seat.';
const HOST = 'cantiere.host.';

function read(key) {
  return sessionStorage.getItem(key) ?? localStorage.getItem(key);
}

/** One's seat in a match with its token, null without one. */
export function seatOf(match) {
  const text = read(SEAT + match);
  return text === null ? null : JSON.parse(text);
}

/** Keeps a seat as it was given: with its token, and since when it is one's own. */
export function keepSeat({ match, seat, token }) {
  const { joinedAt } = match.seats[seat];
  sessionStorage.setItem(SEAT + match.id, JSON.stringify({ seat, token, joinedAt }));
}

export function forgetSeat(match) {
  sessionStorage.removeItem(SEAT + match);
  localStorage.removeItem(SEAT + match);
}

/** The token of the host of a match, null if somebody else is. */
export function hostOf(match) {
  return read(HOST + match);
}

export function keepHost(match, token) {
  sessionStorage.setItem(HOST + match, token);
}

/** Whether the tokens of a match outlive the tab. */
export function isKept(match) {
  return localStorage.getItem(SEAT + match) !== null || localStorage.getItem(HOST + match) !== null;
}

/** Keeps the tokens of a match on this device, beyond the session. */
export function keepOnDevice(match) {
  move(match, sessionStorage, localStorage);
}

/** Takes them back into the session. */
export function forgetOnDevice(match) {
  move(match, localStorage, sessionStorage);
}

function move(match, from, to) {
  for (const key of [SEAT + match, HOST + match]) {
    const text = from.getItem(key);
    if (text !== null) to.setItem(key, text);
    from.removeItem(key);
  }
}

/** The ids of all matches in which one has a seat. */
export function ownMatches() {
  const keys = [...Object.keys(sessionStorage), ...Object.keys(localStorage)];
  return [...new Set(keys.filter((key) => key.startsWith(SEAT)).map((key) => key.slice(SEAT.length)))];
}
