// A bot in TypeScript: joins what its account is invited to, tournaments included, and plays every turn.
// Nothing but Node is needed: `CANTIERE_ACCOUNT_TOKEN=... node bot.mts URL`. Versions 20 to 22.17 run `bot.mjs`, which
// `tsc --target es2022 --module nodenext bot.mts` makes of it.
//
// A bot is a function from a position to a move. This one knows no rules: it takes one of the legal moves.

declare const process: { argv: string[]; env: Record<string, string | undefined> };

interface Told {
  type: string;
  id?: string | null;
  match?: string;
  version?: number;
  legalMoves?: string[];
}

const url = process.argv[2] ?? "http://127.0.0.1:8000";
const token = process.env.CANTIERE_ACCOUNT_TOKEN ?? "";
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const LATER = new Set([429, 502, 503, 504]);
const LONGEST_SILENCE = 60_000;

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

function choose(legal: string[]): string {
  return legal[Math.floor(Math.random() * legal.length)];
}

// Sends a change until it is answered. The key makes sure that it is carried out once. A refusal is shown.
async function post(path: string, body: unknown): Promise<void> {
  const key = crypto.randomUUID();
  for (let wait = 100; ; wait = Math.min(2 * wait, 5_000)) {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { ...headers, "idempotency-key": key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(LONGEST_SILENCE),
    }).catch(() => null);
    if (answer !== null && !LATER.has(answer.status)) {
      if (!answer.ok) console.error(path, await answer.text());
      return;
    }
    await pause(Math.max(wait, 1_000 * Number(answer?.headers.get("retry-after") ?? 0)));
  }
}

async function act(told: Told): Promise<void> {
  if (told.type === "invited") {
    await post(`/matches/${told.match}/join`, {});
  } else if (told.type === "your_turn" && told.legalMoves?.length) {
    // `stale_version` says that the match went on meanwhile; if it is our turn again, the stream says so.
    await post(`/matches/${told.match}/moves`, { version: told.version, moves: [choose(told.legalMoves)] });
  } else {
    console.log(told.type, told.match ?? "");
  }
}

// Each message of the account's own stream, which is resumed where it broke off.
async function* stream(): AsyncGenerator<Told> {
  let after: string | undefined;
  for (;;) {
    try {
      const query = after === undefined ? "" : `?after=${after}`;
      const answer = await fetch(`${url}/api/v1/me/events${query}`, {
        headers: { ...headers, accept: "application/x-ndjson" },
      });
      if (answer.status === 401 || answer.status === 403) throw new Error(await answer.text());
      if (!answer.ok || answer.body === null) {
        await pause(1_000 * Number(answer.headers.get("retry-after") ?? 1));
        continue;
      }
      let rest = "";
      const decoder = new TextDecoder();
      for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const told = JSON.parse(line) as Told;
          after = told.id ?? after;
          yield told;
        }
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // what `fetch` raises when there is no connection
      console.error(`${url}: ${error.cause ?? error}`);
    }
    await pause(500);
  }
}

for await (const told of stream()) await act(told);

export {};
