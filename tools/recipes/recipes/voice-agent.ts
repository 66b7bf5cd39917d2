// # A voice agent: the backend
// Streams the answers of a language model as text, gives tickets to pages that may speak, and relays their live sessions.
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { createRelay, createTickets } from '@speech-api/relay';

const port = Number(process.env.PORT ?? 3000);
const tickets = createTickets({ secret: randomBytes(32) });
const relay = createRelay({
  upstream: {
    webSocketUrl: (process.env.SPEECH_BASE_URL ?? '').replace(/^http/, 'ws'),
    apiKey: process.env.SPEECH_API_KEY ?? '',
    model: 's2-pro',
  },
  origins: [`http://127.0.0.1:${port}`],
  authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
});

/** Put your language model here: anything that gives its answer piece by piece. */
async function* answer(question: string): AsyncGenerator<string> {
  const text = `You asked: ${question} Let me think. The harbour is ten minutes away on foot. Walk along the river, past the mill and the old bakery, until you see the masts.`;
  for (const word of text.split(' ')) {
    await setTimeout(30);
    yield `${word} `;
  }
}

const html = `<!doctype html><html lang="en"><title>Voice agent</title>
<form><input name="question" aria-label="Question" maxlength="500"> <button>Ask</button></form>
<button id="listen">Let me interrupt</button> <output></output>
<script type="module" src="/voice-agent-page.js"></script></html>`;

const server = createServer(async (request, response) => {
  if (relay.handleRequest(request, response)) return;
  const asked = `${request.method} ${request.url}`;
  if (asked === 'GET /') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  } else if (asked === 'GET /voice-agent-page.js' || asked === 'GET /worklet.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' });
    await pipeline(createReadStream(`public${request.url}`), response).catch(() => response.destroy());
  } else if (asked === 'POST /speech-ticket') {
    // Check your own session here, and name its user.
    response.end(await tickets.issue({ user: 'anna', formats: ['pcm'], characters: 5000 }));
  } else if (asked === 'POST /answer') {
    let question = '';
    try {
      for await (const piece of request.setEncoding('utf8')) {
        question += piece;
        if (question.length > 500) return response.writeHead(413, { connection: 'close' }).end();
      }
    } catch {
      // The page left while it asked.
      return;
    }
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    // A page that leaves ends the answer, and with it the work of the model.
    await pipeline(Readable.from(answer(question)), response).catch(() => undefined);
  } else {
    response.writeHead(404).end();
  }
});
relay.attach(server);
server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
