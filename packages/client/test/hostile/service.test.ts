import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ConnectionError, ProtocolError, ServerError, type SpeechError } from '../../src/errors.ts';
import type { Timeouts } from '../../src/options.ts';
import { clientOf, errorOf, tone } from '../../src/testing/samples.ts';
import { type SeenRequest, startServer } from '../../src/testing/start-server.ts';

// A service that means no good, or is in no state to. Each call ends with the right error, soon, in little memory,
// with its socket closed, and the service saw it exactly once.

type Script = (response: ServerResponse, request: SeenRequest) => unknown;
type Client = ReturnType<typeof clientOf>;

const mebibyte = 1024 * 1024;
// Longer than a busy machine may take; a test that waits for one of them sets it shorter.
const timeouts: Timeouts = { headers: 20_000, firstByte: 20_000, idle: 20_000 };
const request = { text: 'Hello there.', format: 'pcm' } as const;

const calls: Record<string, (client: Client) => Promise<unknown>> = {
  audio: async (client) => (await client.speech.create(request)).bytes(),
  stream: async (client) => (await client.speech.streamWithTimestamps(request)).collect(),
  json: (client) => client.transcriptions.create({ audio: tone() }),
};
const mediaTypes: Record<string, string> = {
  audio: 'audio/pcm',
  stream: 'text/event-stream',
  json: 'application/json',
};
const everyCall = ['audio', 'stream', 'json'] as const;

function begin(response: ServerResponse, call: string, headers = {}): ServerResponse {
  return response.writeHead(200, { 'content-type': mediaTypes[call], ...headers });
}

/** Writes `piece` again and again, as fast as it is taken, until the connection closes or `most` bytes are out. */
function pour(response: ServerResponse, piece: Buffer, most = Number.POSITIVE_INFINITY): { bytes: number } {
  const poured = { bytes: 0 };
  const more = (): void => {
    while (!response.destroyed && poured.bytes < most) {
      poured.bytes += piece.length;
      if (!response.write(piece)) return void response.once('drain', more);
    }
    if (!response.destroyed) response.end();
  };
  more();
  return poured;
}

interface Expected {
  readonly error: new (...values: never[]) => SpeechError;
  readonly fields?: object;
  /** Whether the answer ends properly, so that its connection may be used again. */
  readonly complete?: boolean;
  /** Bytes of memory that the call may take. */
  readonly memory?: number;
}

async function expectOutcome(call: string, script: Script, expected: Expected, options = {}): Promise<void> {
  const server = await startServer((seen, response) => script(response, seen));
  const client = clientOf(server.url, { timeouts, ...options });
  const before = process.memoryUsage.rss();
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() - before);
  }, 20);
  const error = await errorOf((calls[call] as (client: Client) => Promise<unknown>)(client));
  clearInterval(watch);
  expect(error).toBeInstanceOf(expected.error);
  expect(error).toMatchObject(expected.fields ?? {});
  expect(most).toBeLessThan(expected.memory ?? 150 * mebibyte);
  // A connection whose answer was complete is kept for the next call, as it should be.
  const kept = expected.complete ? 1 : 0;
  await expect.poll(() => server.openSockets(), { timeout: 20_000 }).toBeLessThanOrEqual(kept);
  expect(server.seen).toHaveLength(1);
}

test.each(everyCall)('garbage after 200: %s', async (call) => {
  const noise = Buffer.from(Array.from({ length: 9999 }, (_, index) => (index * index * 31) % 251));
  await expectOutcome(call, (response) => begin(response, call).end(noise), {
    error: ProtocolError,
    complete: true,
  });
});

test('garbage in place of HTTP', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => socket.end('SMTP 220 at your service\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  for (const call of everyCall) {
    const error = await errorOf(calls[call]?.(clientOf(`http://127.0.0.1:${port}`)) ?? Promise.resolve());
    expect(error).toBeInstanceOf(ConnectionError);
  }
  await expect.poll(() => sockets.size).toBe(0);
});

test.each(everyCall)('a reset in the middle of the stream: %s', async (call) => {
  const script: Script = (response) => {
    begin(response, call).write(tone());
    setTimeout(() => response.socket?.resetAndDestroy(), 20);
  };
  await expectOutcome(call, script, { error: ConnectionError });
});

test('an infinite stream of audio is held up to a limit, and read without one in constant memory', async () => {
  let poured = { bytes: 0 };
  const server = await startServer((_request, response) => {
    poured = pour(begin(response, 'audio'), Buffer.alloc(64 * 1024, 1));
  });
  const { speech } = clientOf(server.url);
  const audio = await speech.create(request);
  const error = await errorOf(audio.bytes({ maximumBytes: 8 * mebibyte }));
  expect(error).toBeInstanceOf(ProtocolError);
  await expect.poll(() => server.openSockets()).toBe(0);
  expect(poured.bytes).toBeLessThan(40 * mebibyte);
  const before = process.memoryUsage.rss();
  let length = 0;
  for await (const piece of await speech.create(request)) {
    length += piece.length;
    if (length > 300 * mebibyte) break;
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(150 * mebibyte);
  await expect.poll(() => server.openSockets()).toBe(0);
  expect(server.seen).toHaveLength(2);
});

test('an infinite event, and infinite JSON, end at their limits', async () => {
  await expectOutcome(
    'stream',
    (response) => {
      begin(response, 'stream').write('data: {"audio_base64": "');
      pour(response, Buffer.alloc(mebibyte, 'A'));
    },
    { error: ProtocolError, memory: 400 * mebibyte },
  );
  await expectOutcome(
    'json',
    (response) => {
      begin(response, 'json').write('{"text": "');
      pour(response, Buffer.alloc(mebibyte, 'A'));
    },
    { error: ProtocolError, memory: 400 * mebibyte },
  );
});

test('a gigabyte of whitespace is not read where it cannot become anything', async () => {
  const script =
    (call: string): Script =>
    (response) =>
      pour(begin(response, call), Buffer.alloc(mebibyte, ' '), 1024 * mebibyte);
  await expectOutcome('json', script('json'), { error: ProtocolError, memory: 400 * mebibyte });
  // White space is no event, so that this one is read to its end before it can be told that nothing came.
  await expectOutcome('stream', script('stream'), {
    error: ProtocolError,
    complete: true,
    memory: 400 * mebibyte,
  });
  const errorPage: Script = (response) =>
    pour(
      response.writeHead(500, { 'content-type': 'text/html' }),
      Buffer.alloc(mebibyte, ' '),
      1024 * mebibyte,
    );
  for (const call of everyCall) await expectOutcome(call, errorPage, { error: ServerError });
}, 120_000);
