// A boardgame.io server with a game of one kind of move, in memory. The first line it prints is its port.

const { Server } = require("boardgame.io/server");

const tally = {
  name: "tally",
  setup: () => ({ total: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { add: ({ G }, number) => ({ total: G.total + number }) },
};

// The port is handed on to Node's `listen`, which takes an address in its place.
Server({ games: [tally], origins: [] })
  .run({ port: { host: "127.0.0.1", port: 0 } })
  .then(({ appServer }) => console.log(appServer.address().port));
