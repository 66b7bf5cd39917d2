import { createServer, type Server, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AuthenticationError, createSpeechClient, PayloadTooLargeError } from '@speech-api/client';
import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { POST } from '../recipes/http-next.ts';
import { key, serveRecipe } from './run-recipe.ts';

let sandbox: RunningSandbox;
let spoken: Uint8Array;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, logger: () => {} });
  const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: key });
  spoken = await (await client.speech.create({ text: 'Good morning.', format: 'mp3' })).bytes();
});

afterAll(() => sandbox?.close());

/** Serves a recipe by its name; the route handler of Next gets a server around it, as Next does it. */
async function serve(name: string, url: string): Promise<string> {
  if (name !== 'http-next') return serveRecipe(name, url);
  process.env.SPEECH_BASE_URL = url;
  process.env.SPEECH_API_KEY = key;
  const server = createServer(async (request, response) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const body = Buffer.concat(await request.toArray());
    const headers = { 'content-length': String(body.length) };
    const init = { method: 'POST', headers, body, signal: left.signal };
    const answer = await POST(new Request('http://next.invalid/', init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else await pipeline(answer.body, response).catch(() => {});
  });
  return listen(server);
}

/** Listens until the test ends. */
async function listen(server: Server): Promise<string> {
  onTestFinished(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each(['http-node', 'http-express', 'http-hono', 'http-next'])('%s', (name) => {
  test('answers with all of the audio', async () => {
    const address = await serve(name, sandbox.url);
    const headers = { 'content-type': 'text/plain' };
    const response = await fetch(address, { method: 'POST', headers, body: 'Good morning.' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), spoken)).toBe(0);
  });

  test('refuses a long text before it is sent, and passes no refusal of the service on', async () => {
    const address = await serve(name, sandbox.url);
    const headers = { 'content-type': 'text/plain' };
    const long = await fetch(address, { method: 'POST', headers, body: 'x'.repeat(20_000) });
    expect(long.status).toBe(413);
    const empty = await fetch(address, { method: 'POST', headers, body: '' });
    expect(empty.status).toBe(502);
    expect(await empty.text()).not.toContain('text');
  });

  test('reads no faster than its listener, and ends the call when the listener leaves', async () => {
    const service = await startEndless(spoken);
    const address = await serve(name, service.url);
    const listener = sendRequest(address, { method: 'POST', headers: { 'content-type': 'text/plain' } });
    listener.on('error', () => {});
    const answered = new Promise<void>((resolve) => {
      // Never read: what arrives stays in the buffers between the service and this listener.
      listener.once('response', (response) => {
        response.pause().on('error', () => {});
        resolve();
      });
    });
    listener.end('Good morning.');
    await answered;
    // Progress is counted in whole answers of the same process, not in time: it could have read on between any two of them.
    let still = 0;
    for (let before = 0; still < 25; before = service.written()) {
      expect(await sizeOfAnswer(address)).toBe(spoken.length);
      still = service.written() === before ? still + 1 : 0;
      expect(service.written(), 'bytes read for a listener who reads nothing').toBeLessThan(enough);
    }
    expect(service.isLeft()).toBe(false);
    listener.destroy();
    await expect.poll(() => service.isLeft(), { timeout: 30_000 }).toBe(true);
    expect(await sizeOfAnswer(address)).toBe(spoken.length);
  });
});

async function sizeOfAnswer(address: string): Promise<number> {
  const headers = { 'content-type': 'text/plain' };
  const response = await fetch(address, { method: 'POST', headers, body: 'Good morning.' });
  return (await response.arrayBuffer()).byteLength;
}

/** More than the buffers of all connections together hold. */
const enough = 200e6;

/** A service whose first answer is as long as it is read, up to 200 MB; the others are short. */
async function startEndless(audio: Uint8Array) {
  let written = 0;
  let left = false;
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    calls += 1;
    if (calls > 1) return response.end(audio);
    response.once('close', () => {
      left = true;
    });
    const endless = function* () {
      for (; written < enough; written += audio.length) yield audio;
    };
    Readable.from(endless()).pipe(response);
  });
  return { url: await listen(server), written: () => written, isLeft: () => left };
}

test('own-backend speaks for a page without showing it the key', async () => {
  const address = await serveRecipe('own-backend', sandbox.url);
  const page = (cookie: string) =>
    createSpeechClient({
      baseUrl: `${address}/speech`,
      apiKey: null,
      fetch: (input, init) => {
        const request = new Request(input, init);
        expect(request.headers.has('authorization')).toBe(false);
        request.headers.set('cookie', cookie);
        return fetch(request);
      },
    });
  const { speech, models } = page('session=of-ann');
  const audio = await speech.create({ text: 'Good morning.', format: 'mp3' });
  expect(Buffer.compare(await audio.bytes(), spoken)).toBe(0);
  const stranger = page('').speech.create({ text: 'Good morning.', format: 'mp3' });
  await expect(stranger).rejects.toSatisfy((error) => AuthenticationError.isInstance(error));
  await expect(speech.create({ text: 'x'.repeat(20_000) })).rejects.toSatisfy((error) =>
    PayloadTooLargeError.isInstance(error),
  );
  await expect(models.list()).rejects.toMatchObject({ status: 404 });
});
