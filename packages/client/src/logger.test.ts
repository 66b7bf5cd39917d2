import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { LogFields } from './options.ts';
import { clientOf, errorOf, testKey, tone } from './testing/samples.ts';
import { startServer } from './testing/start-server.ts';

const secretText = 'words that nobody else may read';

test('a whole call at the most verbose level tells what happened and neither key, text nor audio', async () => {
  const server = await startServer((_request, response) => {
    const echo = { 'x-echo': testKey, 'set-cookie': secretText, 'x-trace-id': 'c'.repeat(32) };
    if (server.seen.length === 1) response.writeHead(503, { ...echo, 'retry-after': '0' }).end(secretText);
    else response.writeHead(200, { ...echo, 'content-type': 'audio/pcm' }).end(tone());
  });
  const lines: string[] = [];
  const shown: string[][] = [];
  const write = (level: string) => (message: string, fields: LogFields) => {
    lines.push(
      `${level} ${message} ${inspect(fields, { depth: 10, showHidden: true, maxStringLength: null })}`,
    );
    shown.push(Object.keys(fields.headers ?? {}));
  };
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn') };
  const client = clientOf(server.url, { retry: { methods: ['POST'] }, logger });
  const sample = { audio: tone(10), text: secretText };
  for (const references of [undefined, [sample]]) {
    const request = { text: secretText, format: 'pcm', ...(references && { references }) } as const;
    await (await client.speech.create(request)).bytes();
  }
  await errorOf(clientOf('http://127.0.0.1:1', { logger }).speech.create({ text: secretText }));
  const levels = lines.map((line) => line.split(' ', 3).join(' '));
  expect(levels).toEqual([
    'debug speech-api request',
    'debug speech-api response',
    'info speech-api waits',
    'debug speech-api request',
    'debug speech-api response',
    'debug speech-api end',
    'debug speech-api request',
    'debug speech-api response',
    'debug speech-api end',
    'debug speech-api request',
    'warn speech-api failure',
    'debug speech-api end',
  ]);
  expect(shown.slice(0, 2)).toEqual([
    ['accept', 'content-type', 'model'],
    ['x-trace-id', 'retry-after'],
  ]);
  const all = lines.join('\n');
  expect(all).toContain("'retry-after': '0'");
  expect(all).toContain("'content-type': 'application/msgpack'");
  for (const hidden of [testKey, secretText, 'x-echo', 'set-cookie', 'authorization', 'Bearer']) {
    expect(all).not.toContain(hidden);
  }
});

test('a logger and a tracer that throw cost nobody an answer that was paid for', async () => {
  const server = await startServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone()),
  );
  const fail = () => {
    throw new Error('the disk is full');
  };
  const trace = { traceparent: () => '', startCall: () => ({ traceparent: '', end: fail }) };
  const { speech } = clientOf(server.url, { logger: { debug: fail }, trace });
  const audio = await speech.create({ text: 'Hello.', format: 'pcm' });
  expect(await audio.bytes()).toEqual(tone());
});
