import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { decode, encode } from '@msgpack/msgpack';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { check } from './check/check.ts';
import { startRecorder } from './record.ts';
import { credit, generalError } from './testing/exchanges.ts';
import { answerJson, runsTypeScript, serve } from './testing/serve.ts';
import { pcmOf, wavOf } from './testing/sound.ts';

const key = 'sk-0123456789abcdef';
const secrets = { authorization: `Bearer ${key}`, cookie: 'session=of-somebody' };

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'speech-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'recording.har');
}

async function record(upstream: string) {
  const file = newFile();
  const recorder = await startRecorder({ upstream, file, port: 0 });
  return { ...recorder, file };
}

const entriesOf = (file: string): { response: { status: number } }[] =>
  JSON.parse(readFileSync(file, 'utf8')).log.entries;

test('forwards byte for byte, and writes what check reads, without a secret', async () => {
  const seen: Buffer[] = [];
  const wav = wavOf(pcmOf(1, 8000), 8000);
  const upstream = await serve(async (incoming, outgoing) => {
    seen.push(Buffer.concat(await incoming.toArray()));
    if (incoming.method === 'GET')
      return answerJson(outgoing, 200, credit(), { 'set-cookie': 'a=of-somebody' });
    outgoing.writeHead(200, { 'content-type': 'audio/wav' });
    outgoing.write(wav.subarray(0, 1000));
    return void setTimeout(() => outgoing.end(wav.subarray(1000)), 20);
  });
  const { url, file, close } = await record(`${upstream}/base`);
  const body = encode({ text: 'The tide comes in.', format: 'wav', sample_rate: 8000 });
  const headers = { ...secrets, 'content-type': 'application/msgpack', model: 's1' };
  const speech = await fetch(`${url}/v1/tts`, { method: 'POST', headers, body });
  expect(Buffer.from(await speech.arrayBuffer())).toEqual(Buffer.from(wav));
  await (await fetch(`${url}/wallet/self/api-credit?ticket=t-of-somebody`, { headers: secrets })).json();
  expect(await close()).toBe(2);
  expect(seen[0]).toEqual(Buffer.from(body));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/sk-0123|of-somebody/);
  expect(entriesOf(file)).toHaveLength(2);
  const report = await check([file]);
  // The parameter does not belong to the operation, and the key is there.
  expect(report.findings.map(({ rule }) => rule)).toEqual(['request-fields']);
  expect(report.coverage.cells.map(({ operationId }) => operationId)).toEqual([
    'createSpeech',
    'getApiCredit',
  ]);
});

test('passes on a POST that offers HTTP/2, with its body', async () => {
  const upstream = await serve(async (incoming, outgoing) => {
    outgoing.end(Buffer.concat(await incoming.toArray()));
  });
  const { url, close } = await record(upstream);
  const call = request(url, { method: 'POST', headers: { connection: 'upgrade', upgrade: 'h2c' } });
  call.end('The tide comes in.');
  const [answer] = await once(call, 'response');
  expect(String(await answer.toArray())).toBe('The tide comes in.');
  expect(await close()).toBe(1);
});

test('records a session of both sides', async () => {
  const received: unknown[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const upstream = await serve(
    () => {},
    (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (live) => {
        live.on('message', (data: Buffer) => {
          received.push(decode(data));
          live.send(encode({ event: 'finish', reason: 'done' }));
          live.close(1000);
        });
      }),
  );
  const { url, file, close } = await record(upstream);
  const client = new WebSocket(`${url.replace('http', 'ws')}/v1/tts/live`, ['ticket.of-somebody'], {
    headers: secrets,
  });
  await once(client, 'open');
  const start = { event: 'start', request: { text: '', format: 'wav' } };
  client.send(encode(start));
  await once(client, 'close');
  expect(received).toEqual([start]);
  await close();
  expect(readFileSync(file, 'utf8')).not.toMatch(/sk-0123|of-somebody/);
  const { findings } = await check([file]);
  expect(findings.map(({ rule }) => rule)).toContain('live-finish-reason');
});

test('passes on an answer that refuses a body before it is read', async () => {
  const upstream = await serve((_incoming, outgoing) =>
    answerJson(outgoing, 413, generalError(413), { connection: 'close' }),
  );
  const { url, file, close } = await record(upstream);
  const statuses = new Set<number>();
  for (let calls = 0; calls < 20; calls += 1) {
    const answer = await fetch(`${url}/v1/asr`, { method: 'POST', body: Buffer.alloc(1_000_000) });
    statuses.add(answer.status);
    await answer.text();
  }
  expect([...statuses]).toEqual([413]);
  expect(await close()).toBe(20);
  expect(new Set(entriesOf(file).map(({ response }) => response.status))).toEqual(new Set([413]));
});

test.each([
  ['refused', 'HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\nno', 400],
  ['not answered before the recorder stops', '', 0],
])(
  'an upgrade that is %s is written as that',
  async (_what, refusal, status) => {
    const peers: Duplex[] = [];
    const upstream = await serve(
      () => {},
      (_request, socket) => void peers.push(socket.on('error', () => {})),
    );
    const { url, file, close } = await record(upstream);
    const client = connect(Number(new URL(url).port), '127.0.0.1')
      .on('error', () => {})
      .resume();
    client.write(
      'GET /v1/tts/live HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-protocol: a,,b\r\n\r\n',
    );
    await expect.poll(() => peers).toHaveLength(1);
    const left = once(client, 'close');
    if (refusal !== '') {
      peers[0]?.end(refusal);
      await left;
    }
    expect(await close()).toBe(1);
    await left;
    // An answer that comes late has no file any more.
    peers[0]?.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
    expect(entriesOf(file).map(({ response }) => response.status)).toEqual([status]);
  },
  5_000,
);

test('a stream that the server breaks off is cut, one that the client left is a gap, and so is an unknown encoding', async () => {
  const upstream = await serve(({ url = '' }, outgoing) => {
    const type = { 'content-type': 'application/json' };
    if (url.includes('unknown'))
      outgoing.writeHead(200, { ...type, 'content-encoding': 'x-unknown' }).end('\u0001\u0002');
    else if (url.includes('left')) outgoing.writeHead(200, type).write('{"total"');
    else outgoing.writeHead(200, type).write('{"total"', () => outgoing.destroy());
  });
  const { url, file, close } = await record(upstream);
  const get = (title: string, signal?: AbortSignal) =>
    fetch(`${url}/model?title=${title}`, { headers: secrets, ...(signal && { signal }) });
  await expect((await get('cut')).text()).rejects.toThrow();
  await (await get('unknown')).text();
  const leaving = new AbortController();
  await get('left', leaving.signal);
  leaving.abort();
  await expect.poll(() => entriesOf(file).length).toBe(3);
  await close();
  const { findings, recordings } = await check([file]);
  expect(findings.filter(({ rule }) => rule === 'body-complete')).toHaveLength(1);
  expect(recordings).toMatchObject({ gaps: 2, ignored: 0 });
});

test('a recorder that is killed leaves a file that is read, also when an entry was half written', async () => {
  const upstream = await serve((_incoming, outgoing) => answerJson(outgoing, 401, generalError(401)));
  const file = newFile();
  const bin = fileURLToPath(new URL('./bin.ts', import.meta.url));
  const words = ['record', '--upstream', upstream, '--port', '0', file];
  const child = spawn(process.execPath, [...runsTypeScript, bin, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stderr, 'data')) as [Buffer];
  const [url = ''] = /http:\S+(?= and)/.exec(String(line)) ?? [];
  for (const title of ['one', 'two'])
    await (await fetch(`${url}/model?title=${title}`, { headers: secrets })).text();
  child.kill('SIGKILL');
  await once(child, 'close');
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text).log.entries).toHaveLength(2);
  const half = newFile();
  writeFileSync(half, `${text}{"request":{"method"`);
  expect((await check([half])).exchanges).toHaveLength(2);
});
