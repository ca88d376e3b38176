// The audits of graphql-http against the server at an address: `node audits.mjs URL`. One JSON object a line.
import { serverAudits } from 'graphql-http';

for (const audit of serverAudits({ url: process.argv[2], fetchFn: fetch })) {
  const { status, reason } = await audit.fn();
  console.log(JSON.stringify({ id: audit.id, name: audit.name, status, reason }));
}
