'use strict';

// GraphiQL with the server that it came from. A token goes under "Headers": {"Authorization": "Bearer ..."}.

const FIRST = `# Queries are answered at once; subscriptions go on until you stop them.
{
  games {
    slug
    title
  }
}
`;

async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const lines = text.slice(0, end).split('\n');
      if (lines.includes('event: complete')) return;
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).join('\n');
      if (data.trim()) yield JSON.parse(data);
    }
  }
}

function isSubscription(request, document) {
  const operations = (document?.definitions ?? []).filter((node) => node.kind === 'OperationDefinition');
  const named = operations.filter((node) => !request.operationName || node.name?.value === request.operationName);
  return named.some((node) => node.operation === 'subscription');
}

async function ask(request, options) {
  const isStream = isSubscription(request, options?.documentAST);
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: {
      ...options?.headers,
      accept: isStream ? 'text/event-stream' : 'application/graphql-response+json, application/json;q=0.9',
      'content-type': 'application/json',
    },
    body: JSON.stringify(request),
  });
  return isStream && response.ok ? events(response) : response.json();
}

ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, { fetcher: ask, defaultQuery: FIRST, shouldPersistHeaders: false }),
);
