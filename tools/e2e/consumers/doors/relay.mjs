import { createServer } from 'node:http';
import { createRelay } from '@speech-api/relay';

// The server of a team, with a relay attached to it.
const relay = createRelay({
  upstream: { webSocketUrl: 'ws://127.0.0.1:9', apiKey: 'a-key', model: 's2-pro' },
  origins: ['https://app.example'],
  hosts: ['app.example'],
  authorize: () => undefined,
});
const server = createServer(async (request, response) => {
  if (relay.handleRequest(request, response)) return;
  let received = 0;
  for await (const piece of request) received += piece.length;
  response.end(JSON.stringify({ received }));
});
relay.attach(server);
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
