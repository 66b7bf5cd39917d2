import { createServer, request as sendRequest } from 'node:http';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { POST } from '../recipes/http-next.ts';
import { listen, serveRecipe, useSandbox } from './runner.ts';

const sandbox = useSandbox();
let spoken: Uint8Array;
beforeAll(async () => {
  const speech = await sandbox.client.speech.create({ text: 'Good morning.', format: 'mp3' });
  spoken = await speech.bytes();
});

const ask = (address: string, body: string): Promise<Response> =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'text/plain' }, body });
const bytesOf = async (answer: Response): Promise<Uint8Array> => new Uint8Array(await answer.arrayBuffer());

// The route handler of Next is built and served in tools/e2e/consumers.
describe.each(['http-node', 'http-express', 'http-hono'])('%s', (name) => {
  test('answers with all of the audio, refuses a long text itself, and passes no refusal of the service on', async () => {
    const address = await serveRecipe(name, sandbox.url);
    const answer = await ask(address, 'Good morning.');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect(await bytesOf(answer)).toEqual(spoken);
    expect((await ask(address, 'x'.repeat(20_000))).status).toBe(413);
    const asked = await fetch(address);
    expect([asked.status, asked.headers.get('allow'), await asked.text()]).toEqual([
      405,
      'POST',
      'Send the text with POST.\n',
    ]);
    // The media type that curl sends with --data by default.
    const form = await fetch(address, { method: 'POST', body: new URLSearchParams('Good morning.') });
    expect([form.status, await form.text()]).toEqual([415, 'Send the text as text/plain.\n']);
    for (const text of ['', ' ']) {
      const empty = await ask(address, text);
      expect([empty.status, await empty.text()]).toEqual([400, 'Send a text to speak.\n']);
    }
    const service = createServer((request, response) => {
      request.resume();
      response.writeHead(402, { 'content-type': 'application/json' }).end('{"message":"no credit"}');
    });
    const refused = await ask(
      await serveRecipe(name, `http://127.0.0.1:${await listen(service)}`),
      'Good morning.',
    );
    expect([refused.status, await refused.text()]).toEqual([502, 'No speech at the moment.']);
  });

  test('serves on after a visitor leaves in the middle of the upload', async () => {
    const address = await serveRecipe(name, sandbox.url);
    const headers = { 'content-type': 'text/plain', 'content-length': '13' };
    const visitor = sendRequest(address, { method: 'POST', headers });
    const gone = new Promise((resolve) => visitor.once('close', resolve));
    visitor.on('error', () => {});
    await new Promise((resolve) => visitor.write('Good', resolve));
    // This answer comes after the visitor's bytes have reached the server.
    expect((await fetch(address)).status).toBe(405);
    visitor.destroy();
    await gone;
    expect(await bytesOf(await ask(address, 'Good morning.'))).toEqual(spoken);
  });

  test('reads no faster than its listener, and ends the call when the listener leaves', async () => {
    let written = 0;
    let aborted = 0;
    /** More bytes than the buffers of all connections hold. */
    const enough = 200e6;
    const endless = function* () {
      for (; written < enough; written += spoken.length) yield spoken;
    };
    // The first answer lasts as long as it is read; the others are short.
    let calls = 0;
    const service = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      calls += 1;
      if (calls > 1) return response.end(spoken);
      response.once('close', () => {
        aborted += 1;
      });
      Readable.from(endless()).pipe(response);
    });
    const log: string[] = [];
    const address = await serveRecipe(name, `http://127.0.0.1:${await listen(service)}`, log);
    const listener = sendRequest(address, { method: 'POST', headers: { 'content-type': 'text/plain' } });
    listener.on('error', () => {});
    // This listener never reads: data stays in the buffers between service and listener.
    listener.on('response', (response) => response.pause().on('error', () => {}));
    listener.end('Good morning.');
    await expect.poll(() => written).toBeGreaterThan(0);
    // Progress is counted in whole answers of the same process instead of time, because buffers may fill between any two.
    let still = 0;
    for (let before = 0; still < 25; before = written) {
      expect(await bytesOf(await ask(address, 'Good morning.'))).toHaveLength(spoken.length);
      still = written === before ? still + 1 : 0;
      expect(written, 'bytes read for a listener who reads nothing').toBeLessThan(enough);
    }
    expect(aborted).toBe(0);
    listener.destroy();
    await expect.poll(() => aborted).toBe(1);
    expect(await bytesOf(await ask(address, 'Good morning.'))).toHaveLength(spoken.length);
    expect(log).toEqual([]);
  });
});

test('http-next answers when a visitor leaves in the middle of the upload', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const headers = { 'content-type': 'text/plain', 'content-length': '13' };
  const body = new ReadableStream({ start: (upload) => upload.error(new Error('the visitor left')) });
  const request = new Request('http://127.0.0.1/', {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit);
  expect((await POST(request)).status).toBe(502);
});

test('own-backend adds the key for a page with a session, and does nothing else for it', async () => {
  const address = await serveRecipe('own-backend', sandbox.url);
  const post = (path: string, cookie: string, text: string): Promise<Response> =>
    fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ text, format: 'mp3' }),
    });
  const session = 'session=of-ann';
  expect(await bytesOf(await post('/speech/v1/tts', session, 'Good morning.'))).toEqual(spoken);
  expect((await post('/speech/v1/tts', '', 'Good morning.')).status).toBe(401);
  expect((await post('/speech/v1/tts', session, 'x'.repeat(20_000))).status).toBe(413);
  expect((await post('/speech/model', session, 'Good morning.')).status).toBe(404);
});
