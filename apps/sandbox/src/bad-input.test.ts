import { limits } from '@speech-api/types';
import { expect, test } from 'vitest';
import type { RunningSandbox } from './start-sandbox.ts';
import { createFakeSpeech } from './testing/fake-speech.ts';
import { openRaw } from './testing/raw-connection.ts';
import { speak, speechHeaders, start, without } from './testing/sandboxes.ts';

/** A general error body: what section 7 calls an object with status and message. */
async function expectGeneral(response: Response, status: number, words: string): Promise<void> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json');
  const body = await response.json();
  expect(body).toEqual({ status, message: expect.stringContaining(words) });
}

/** A validation list with one issue. */
async function expectIssue(response: Response, loc: readonly string[], words: string): Promise<void> {
  expect(response.status).toBe(422);
  expect(response.headers.get('content-type')).toBe('application/json');
  const body = (await response.json()) as readonly unknown[];
  expect(body).toEqual([
    { loc, type: expect.any(String), msg: expect.stringContaining(words), ctx: expect.any(String) },
  ]);
}

async function expectAlive(sandbox: RunningSandbox): Promise<void> {
  const response = await speak(sandbox, { text: 'Still here.' });
  expect(response.status).toBe(200);
  expect(await response.bytes()).toHaveLength(8);
}

test('refuses a request without a key', async () => {
  const sandbox = await start();
  await expectGeneral(await speak(sandbox, { text: 'a' }, without('authorization')), 401, 'Authorization');
  await expectAlive(sandbox);
});

test('refuses a wrong key', async () => {
  const sandbox = await start();
  const headers = { ...speechHeaders, authorization: 'Bearer wrong-key' };
  await expectGeneral(await speak(sandbox, { text: 'a' }, headers), 401, 'API key');
  await expectAlive(sandbox);
});

test('refuses a request without the model header', async () => {
  const sandbox = await start();
  await expectIssue(await speak(sandbox, { text: 'a' }, without('model')), ['header', 'model'], '`model`');
  await expectAlive(sandbox);
});

test('refuses a request without a text', async () => {
  const sandbox = await start();
  await expectIssue(await speak(sandbox, { format: 'wav' }), ['body', 'text'], '`text`');
  await expectAlive(sandbox);
});

test('refuses a misspelt field and says what was meant', async () => {
  const sandbox = await start();
  const words = 'unknown field `temprature`, did you mean `temperature`?';
  await expectIssue(await speak(sandbox, { text: 'a', temprature: 0.5 }), ['body', 'temprature'], words);
  await expectAlive(sandbox);
});

test('refuses temperature 2', async () => {
  const sandbox = await start();
  await expectIssue(
    await speak(sandbox, { text: 'a', temperature: 2 }),
    ['body', 'temperature'],
    '`temperature`',
  );
  await expectAlive(sandbox);
});

test('refuses chunk_length 99', async () => {
  const sandbox = await start();
  await expectIssue(
    await speak(sandbox, { text: 'a', chunk_length: 99 }),
    ['body', 'chunk_length'],
    '`chunk_length`',
  );
  await expectAlive(sandbox);
});

test('refuses an unknown format', async () => {
  const sandbox = await start();
  await expectIssue(await speak(sandbox, { text: 'a', format: 'flac' }), ['body', 'format'], '`format`');
  await expectAlive(sandbox);
});

test('refuses wav at 48000 Hz', async () => {
  const sandbox = await start();
  const response = await speak(sandbox, { text: 'a', format: 'wav', sample_rate: 48_000 });
  await expectGeneral(response, 400, 'sample_rate 48000');
  await expectAlive(sandbox);
});

test('refuses a dialogue on s1', async () => {
  const sandbox = await start();
  const dialogue = { text: '<|speaker:0|>a<|speaker:1|>b', reference_id: ['sandbox-alba', 'sandbox-blake'] };
  await expectGeneral(await speak(sandbox, dialogue, { ...speechHeaders, model: 's1' }), 400, 'model s1');
  await expectAlive(sandbox);
});

test('refuses malformed JSON, saying where', async () => {
  const sandbox = await start();
  const response = await fetch(`${sandbox.url}/v1/tts`, {
    method: 'POST',
    headers: speechHeaders,
    body: '{"text": "a", "temperature": }',
  });
  await expectIssue(response, ['body'], 'line 1, column 30, in `temperature`');
  await expectAlive(sandbox);
});

test('refuses truncated MessagePack, saying where', async () => {
  const sandbox = await start();
  const response = await fetch(`${sandbox.url}/v1/tts`, {
    method: 'POST',
    headers: { ...speechHeaders, 'content-type': 'application/msgpack' },
    // A map of one: "text", and a string of five of which three are there.
    body: Uint8Array.from([0x81, 0xa4, ...Buffer.from('text'), 0xa5, ...Buffer.from('hel')]),
  });
  await expectIssue(response, ['body'], 'in `text`');
  await expectAlive(sandbox);
});

test('refuses a body of 64 MiB plus one byte while it arrives', async () => {
  expect(limits.requestBodyBytes).toBe(64 * 1024 * 1024);
  const speech = createFakeSpeech();
  const sandbox = await start({ speech });
  const { socket, until, received } = await openRaw(sandbox);
  const head = Object.entries(speechHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST /v1/tts HTTP/1.1\r\nhost: localhost\r\n${head.join('')}transfer-encoding: chunked\r\n\r\n`,
  );
  const mebibyte = Buffer.alloc(1024 * 1024, 0x20);
  const writeChunk = (bytes: Buffer): Promise<unknown> => {
    socket.write(`${bytes.length.toString(16)}\r\n`);
    socket.write(bytes);
    return new Promise((resolve) => socket.write('\r\n', resolve));
  };
  for (let chunk = 0; chunk < 64; chunk += 1) await writeChunk(mebibyte);
  expect(received()).toBe('');
  // One byte more, and the body does not end: the refusal cannot wait for the rest.
  await writeChunk(Buffer.from(' '));
  await until(String(limits.requestBodyBytes));
  expect(received()).toMatch(/^HTTP\/1\.1 413 /);
  expect(received()).toContain(
    `{"status":413,"message":"The body is larger than ${limits.requestBodyBytes} bytes."}`,
  );
  socket.destroy();
  expect(speech.jobs).toHaveLength(0);
  await expectAlive(sandbox);
});

test('refuses a body that declares 64 MiB plus one byte before any of it is sent', async () => {
  const sandbox = await start();
  const { socket, until, received } = await openRaw(sandbox);
  const head = Object.entries(speechHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = limits.requestBodyBytes + 1;
  socket.write(`POST /v1/tts HTTP/1.1\r\nhost: localhost\r\n${head.join('')}content-length: ${length}\r\n`);
  socket.write('expect: 100-continue\r\n\r\n');
  await until('"status":413');
  expect(received()).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
  await expectAlive(sandbox);
});

test('takes a body of exactly 64 MiB', async () => {
  const sandbox = await start();
  const text = JSON.stringify({ text: 'a' });
  const response = await fetch(`${sandbox.url}/v1/tts`, {
    method: 'POST',
    headers: speechHeaders,
    body: text.padEnd(limits.requestBodyBytes, ' '),
  });
  expect(response.status).toBe(200);
});
