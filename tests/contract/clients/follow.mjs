// Three clients of others follow one match: `node follow.mjs URL MATCH TOKEN`. What each hears is printed, one
// JSON object a line. They come back by themselves after the last event that they have.
import { createRequire } from 'node:module';
import { createClient as createSocketClient } from 'graphql-ws';
import { createClient as createStreamClient } from 'graphql-sse';
import WebSocket from 'ws';

const require = createRequire(import.meta.url);
const { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } = require('@apollo/client/core');
const { GraphQLWsLink } = require('@apollo/client/link/subscriptions');

const [url, match, token] = process.argv.slice(2);
const EVENTS = 'subscription Events($id: ID!, $after: Int!) { matchEvents(id: $id, after: $after) { version move } }';
const retries = {
  retryAttempts: 1_000,
  shouldRetry: () => true,
  retryWait: () => new Promise((again) => setTimeout(again, 100)),
};
const sockets = (more = {}) =>
  createSocketClient({ url: `${url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket, ...retries, ...more });
const streams = createStreamClient({
  url: `${url}/graphql`,
  retryAttempts: retries.retryAttempts,
  retry: retries.retryWait,
});

const say = (client, told) => console.log(JSON.stringify({ client, ...told }));

/** A request to follow the match, and what takes in its results: the request always asks for what is missing. */
function following(client, onEvent = () => {}) {
  const request = { query: EVENTS, variables: { id: match, after: 0 } };
  const sink = {
    next({ data, errors }) {
      if (errors) return say(client, { errors });
      const { version } = data.matchEvents;
      request.variables.after = version;
      say(client, { version });
      onEvent();
    },
    error: (error) => say(client, { error: String(error) }),
    complete: () => say(client, { complete: true }),
  };
  return [request, sink];
}

function followWithApollo() {
  const [request, sink] = following('apollo');
  const socket = new GraphQLWsLink(sockets({ connectionParams: { token } }));
  const http = new HttpLink({ uri: `${url}/graphql`, headers: { authorization: `Bearer ${token}` } });
  // Apollo copies variables; the ones that change are put back, so that the socket asks anew for what is missing.
  const resuming = new ApolloLink((operation, forward) => {
    operation.variables = request.variables;
    return forward(operation);
  });
  const isSubscription = ({ query }) => query.definitions.some(({ operation }) => operation === 'subscription');
  const client = new ApolloClient({
    link: ApolloLink.split(isSubscription, resuming.concat(socket), http),
    cache: new InMemoryCache(),
  });
  client.subscribe({ query: gql(EVENTS), variables: { ...request.variables } }).subscribe(sink);
  return client;
}

async function playWithApollo(client) {
  const { data } = await client.query({
    query: gql`query Match($id: ID!) { match(id: $id) { id version legalNotations } }`,
    variables: { id: match },
  });
  const { version, legalNotations } = data.match;
  const played = await client.mutate({
    mutation: gql`mutation Play($id: ID!, $version: Int!, $moves: [String!]!, $key: String!) {
      play(matchId: $id, version: $version, moves: $moves, idempotencyKey: $key) {
        ... on Played { version status } ... on Problem { code detail }
      }
    }`,
    variables: { id: match, version, moves: legalNotations.slice(0, 1), key: 'once' },
  });
  say('apollo', { played: played.data.play });
}

sockets().subscribe(...following('graphql-ws'));
streams.subscribe(...following('graphql-sse'));
const stop = sockets().subscribe(...following('brief', () => {
  stop();
  say('brief', { unsubscribed: true });
}));
await playWithApollo(followWithApollo());
