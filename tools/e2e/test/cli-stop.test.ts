import { once } from 'node:events';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { measureAudio } from '@speech-api/audio';
import { afterAll, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const { folder, filesLike, start } = useSpeech(useOwnSandbox());
const stopped = 'speech: stopped; no unfinished file was left\n';

/** A live service that accepts text and never answers. */
async function silentService(): Promise<{ url: string; messages(count: number): Promise<WebSocket> }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  let received = 0;
  let look = (): void => {};
  let last: WebSocket;
  server.on('connection', (socket) => {
    last = socket;
    socket.on('message', () => {
      received += 1;
      look();
    });
  });
  await once(server, 'listening');
  afterAll(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages: (count) =>
      new Promise((resolve) => {
        look = () => {
          if (received >= count) resolve(last);
        };
        look();
      }),
  };
}

test.each([
  ['SIGINT', 'log.mp3'],
  ['SIGTERM', 'log.wav'],
] as const)('%s ends a text without an end, and %s holds what was said', async (signal, name) => {
  const running = start(['live', '-o', name, '--json']);
  running.child.stdin.write('The ferry leaves at noon. The gulls ');
  await expect
    .poll(async () => {
      const [partial] = await filesLike(/partial$/);
      return partial === undefined ? 0 : (await stat(join(folder, partial))).size;
    })
    .toBeGreaterThan(0);
  running.child.kill(signal);
  const { code, stdout, stderr } = await running.ended;
  expect([code, stderr]).toEqual([130, expect.stringMatching(/^the text ends here.*Ctrl-C again/)]);
  expect(JSON.parse(stdout)).toMatchObject({ output: name });
  const format = name.endsWith('wav') ? 'wav' : 'mp3';
  expect(measureAudio(await readFile(join(folder, name)), format).seconds).toBeGreaterThan(1);
  expect(await filesLike(/partial/)).toEqual([]);
});

test('a second Ctrl-C does not wait for the audio, and leaves no file', async () => {
  const { url, messages } = await silentService();
  const running = start(['live', '-o', 'twice.mp3'], { SPEECH_BASE_URL: url });
  running.child.stdin.write('The ferry leaves at noon. The gulls ');
  // Waits for the start and the first sentence.
  await messages(2);
  running.child.kill('SIGINT');
  await expect.poll(() => running.stderr).toContain('Ctrl-C again');
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  expect(running.stderr).toMatch(new RegExp(`${stopped}$`));
  expect(await filesLike(/twice|partial/)).toEqual([]);
});

test.each([
  ['before there is any text', ['live', '-o', 'none.mp3'], ' ', 1],
  ['of a text that is played', ['live'], 'The ferry leaves at noon. The gulls ', 2],
  ['of a text that goes to stdout', ['live', '-o', '-'], 'The ferry leaves at noon. The gulls ', 2],
] as const)('Ctrl-C %s does not wait for stdin', async (_when, args, text, count) => {
  const { url, messages } = await silentService();
  const player = `${process.execPath} -e process.stdin.resume()`;
  const running = start(args, { SPEECH_BASE_URL: url, SPEECH_PLAYER: player });
  running.child.stdin.write(text);
  await messages(count);
  running.child.kill('SIGINT');
  const stopTime = performance.now();
  expect((await running.ended).code).toBe(130);
  expect(performance.now() - stopTime).toBeLessThan(5000);
  expect(running.stderr).toBe(stopped);
  expect(await filesLike(/none|partial/)).toEqual([]);
});

test.each([
  ['speak', ['speak', '-', '-o', 'said.mp3']],
  ['transcribe', ['transcribe', '-']],
])('Ctrl-C while %s reads stdin does not wait for its end', async (_name, args) => {
  const spool = join(folder, 'spool');
  await mkdir(spool, { recursive: true });
  const running = start(args, { TMPDIR: spool });
  // The input is larger than a pipe's buffer, so it is being read.
  await new Promise((resolve) => running.child.stdin.write('Words. '.repeat(100_000), resolve));
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  expect(running.stderr).toBe(stopped);
  expect(await readdir(spool)).toEqual([]);
  expect(await filesLike(/said|partial/)).toEqual([]);
});
