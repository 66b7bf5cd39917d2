import { once } from 'node:events';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { decode, encode } from '@msgpack/msgpack';
import { audioMediaTypes, headerNames } from '@speech-api/types';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { exitCodeOf } from '../judge/report.ts';
import { credit } from '../testing/exchanges.ts';
import { answerJson, serve } from '../testing/serve.ts';
import { pcmOf, wavOf } from '../testing/sound.ts';
import { type ContractProxyOptions, startContractProxy } from './proxy.ts';
import type { ProxyReport } from './recorder.ts';
import { between, call, inWords, keyOfTests, open as openCall, type Sent } from './testing/between.ts';

const wav = Buffer.from(wavOf(pcmOf(1.2, 8000), 8000));
const asked = { text: 'The tide comes in.', format: 'wav', sample_rate: 8000 };
const json = { 'content-type': 'application/json' };
const wallet = '/wallet/self/api-credit';

type Handler = Parameters<typeof serve>[0];

function speak(sent: object = asked, headers: Record<string, string> = {}) {
  const body = Buffer.from(JSON.stringify(sent));
  return { method: 'POST', headers: { ...json, model: 's2-pro', ...headers }, body };
}

/** A server that keeps the contract. */
const good: Handler = (incoming, outgoing) => {
  incoming.resume();
  if (incoming.url?.startsWith(wallet) === true) {
    answerJson(outgoing, 200, credit());
  } else if (incoming.url === '/v1/tts') {
    outgoing.writeHead(200, { 'content-type': audioMediaTypes.wav });
    outgoing.write(wav.subarray(0, 1000));
    outgoing.end(wav.subarray(1000));
  } else outgoing.writeHead(404).end();
};

/** A proxy before a server, and calls through it. */
async function useProxy(server: Handler, options: Partial<ContractProxyOptions> = {}) {
  const proxy = await between(await serve(server), options);
  return { proxy, call: (path: string, sent?: Sent) => call(proxy.url + path, sent) };
}

/** What a proxy before a server says of these calls. */
async function reportOf(
  server: Handler,
  calls: readonly (readonly [path: string, sent?: Sent])[],
  options: Partial<ContractProxyOptions> = {},
): Promise<ProxyReport> {
  const { proxy, call } = await useProxy(server, options);
  for (const [path, sent] of calls) await call(path, sent);
  return await proxy.close();
}

test('finds nothing where both sides keep the contract, and says what passed', async () => {
  const report = await reportOf(good, [[wallet], ['/v1/tts', speak()], [`/health?key=${keyOfTests}`]]);
  expect(report.findings).toEqual([]);
  expect(exitCodeOf(report)).toBe(0);
  expect(report.exchanges.map(({ name }) => name)).toEqual([
    `call 1, getApiCredit ${wallet}`,
    'call 2, createSpeech /v1/tts',
  ]);
  expect(report.proxy).toMatchObject({
    calls: 2,
    others: { 'GET /health': 1 },
    notJudged: [],
    notJudgedCount: 0,
  });
  expect(report.proxy.notCovered).toContain('encodings-agree');
});

test('names what the server broke', async () => {
  const told: string[] = [];
  const report = await reportOf(
    (incoming, outgoing) => {
      incoming.resume();
      if (incoming.method === 'GET') answerJson(outgoing, 200, credit({ user_id: 7 }));
      else outgoing.writeHead(200, { 'content-type': audioMediaTypes.mp3 }).end(wav);
    },
    [[wallet], ['/v1/tts', speak({ ...asked, sample_rate: 16_000 })]],
    { onFinding: ({ rule }) => told.push(rule) },
  );
  expect(inWords(report)).toEqual(
    expect.arrayContaining(['error field-type getApiCredit', 'error audio-sample-rate createSpeech']),
  );
  expect(new Set(told)).toEqual(new Set(report.findings.map(({ rule }) => rule)));
  expect(report.proxy.broken).toMatchObject({ client: { errors: 0, warnings: 0 } });
  expect(report.proxy.broken.server.errors).toBeGreaterThan(1);
  expect(exitCodeOf(report)).toBe(1);
});

test('names what the client broke, and that the server should have refused it', async () => {
  const report = await reportOf(good, [
    ['/v1/tts', speak({ ...asked, temperature: 3 })],
    ['/v1/tts', speak({ ...asked, sampel_rate: 8000 })],
    ['/v1/tts', speak({ ...asked, sample_rate: 48_000 })],
    ['/v1/tts', { ...speak(), headers: json }],
    ['/v1/tts', speak(asked, { 'content-type': 'text/plain' })],
    ['/v1/tts', { ...speak(), body: Buffer.from('{') }],
    ['/model?page_size=none&tags=a', {}],
    [wallet, { headers: { authorization: 'Basic abc' } }],
  ]);
  const ofClient = /^request|^refusal-expected|^key/;
  const found = report.findings
    .filter(({ rule }) => ofClient.test(rule))
    .map(({ exchange, rule, severity, where = '' }) => `${exchange[5]} ${severity} ${rule} ${where}`.trim());
  expect(found.sort()).toEqual([
    '1 error refusal-expected',
    '1 error request-fields /temperature',
    '2 warning request-fields /sampel_rate',
    '3 error refusal-expected',
    '3 error request-rules /sample_rate',
    '4 error request-fields header model',
    '5 error request-media-type header content-type',
    '6 error request-fields body',
    '7 error request-fields query page_size',
    '7 warning request-fields query',
    '8 error key-checked',
    '8 error request-has-key header authorization',
  ]);
});

test('a refusal of a wrong request is right, whatever the server looks at first', async () => {
  const refusing: Handler = (incoming, outgoing) => {
    incoming.resume();
    answerJson(outgoing, 401, { status: 401, message: 'No.' }, { 'www-authenticate': 'Bearer' });
  };
  const report = await reportOf(refusing, [['/v1/tts', speak({ ...asked, temperature: 3 })]]);
  expect(inWords(report)).toEqual(['error request-fields createSpeech']);
});

test('passes what is too large whole, and says that it was not judged', async () => {
  const large = Buffer.alloc(3 * 1024 * 1024, 1);
  const server: Handler = (incoming, outgoing) => {
    const headers = { 'content-type': audioMediaTypes.mp3, 'content-length': large.length };
    // An answer before the end of an upload may be lost with its connection, with or without a proxy.
    incoming.resume().on('end', () => outgoing.writeHead(200, headers).end(large));
  };
  const { proxy, call } = await useProxy(server, { limits: { bodyBytes: 1024 * 1024 } });
  expect((await call('/v1/tts', speak({ text: 'Hi.' }))).body.equals(large)).toBe(true);
  expect((await call('/v1/asr', { method: 'POST', body: large })).body.equals(large)).toBe(true);
  const report = await proxy.close();
  expect(report.proxy.notJudged).toEqual([
    { exchange: 'call 1, createSpeech /v1/tts', reason: 'the answer is larger than 1 MiB' },
    { exchange: 'call 2, createTranscription /v1/asr', reason: 'the request is larger than 1 MiB' },
    { exchange: 'call 2, createTranscription /v1/asr', reason: 'the answer is larger than 1 MiB' },
  ]);
  // Its head is judged all the same.
  expect(inWords(report)).toContain('warning audio-is-delivered-while-made createSpeech');
});

test('keeps no more than it may for all calls together, and none for longer than it may', async () => {
  const bytes = Buffer.alloc(700_000, 1);
  let open = 0;
  const upstream = await serve((incoming, outgoing) => {
    incoming.resume();
    outgoing.write(bytes);
    open += 1;
    if (open > 1) outgoing.end();
  });
  const proxy = await between(upstream, { limits: { allBytes: 1_000_000 } });
  const first = await openCall(`${proxy.url}/v1/tts`, { method: 'POST' });
  first.on('error', () => {});
  let read = 0;
  first.on('data', (piece: Buffer) => {
    read += piece.length;
  });
  await expect.poll(() => read).toBe(bytes.length);
  await call(`${proxy.url}/v1/tts`, { method: 'POST' });
  first.destroy();
  expect((await proxy.close()).proxy.notJudged.map(({ reason }) => reason)).toEqual([
    'the answer is larger than what was left of 1000000 bytes for all copies',
    'the client left before the answer was whole',
  ]);
  const slow = await between(upstream, { limits: { seconds: 0 } });
  await call(`${slow.url}/v1/tts`, { method: 'POST' });
  expect((await slow.close()).proxy.notJudged[0]?.reason).toMatch(/longer than 0 seconds/);
});

test('judges so many calls and passes the others', async () => {
  const { exchanges, proxy } = await reportOf(good, [[wallet], [wallet], [wallet]], { maxCalls: 1 });
  expect(exchanges).toHaveLength(1);
  expect(proxy).toMatchObject({
    calls: 3,
    notJudgedCount: 2,
    notJudged: [{ reason: 'more than 1 calls' }, {}],
  });
});

test('a call passes while another one is still judged', async () => {
  const keys = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, index]));
  const large = JSON.stringify({ ...credit({ credit: 1 }), ...keys });
  const upstream = await serve((incoming, outgoing) => {
    outgoing.writeHead(200, json).end(incoming.url === wallet ? large : '{}');
  });
  const order: string[] = [];
  const proxy = await between(upstream, { onFinding: ({ rule }) => order.push(rule) });
  await call(`${proxy.url}${wallet}`);
  await call(`${proxy.url}/other`);
  order.push('passed');
  await proxy.close();
  expect(order[0]).toBe('passed');
  expect(order).toContain('field-type');
});

test.each([
  ['gzip', gzipSync, ['error field-type getApiCredit']],
  ['zstd', zstdCompressSync, []],
] as const)(
  'judges what was compressed on the way as far as it can read it: %s',
  async (coding, compress, found) => {
    const sent = compress(JSON.stringify(credit({ user_id: 7 })));
    const { proxy, call } = await useProxy((_incoming, outgoing) =>
      outgoing.writeHead(200, { ...json, 'content-encoding': coding }).end(sent),
    );
    expect((await call(wallet)).body.equals(sent)).toBe(true);
    expect(inWords(await proxy.close())).toEqual(found);
  },
);

test('no answer, a cut one and a client that leaves are three different things', async () => {
  const left = Promise.withResolvers<void>();
  const { proxy, call } = await useProxy((incoming, outgoing) => {
    if (incoming.headers.prefer === 'none') return outgoing.destroy();
    outgoing.writeHead(200, { ...json, 'content-length': '500' }).write('{"_id":');
    if (incoming.headers.prefer === 'cut') setImmediate(() => outgoing.destroy());
    else outgoing.on('close', left.resolve);
  });
  expect((await call(wallet, { headers: { prefer: 'none' } })).status).toBe(502);
  await expect(call(wallet, { headers: { prefer: 'cut' } })).rejects.toThrow('aborted');
  (await openCall(proxy.url + wallet)).destroy();
  await left.promise;
  const report = await proxy.close();
  const messages = report.findings.filter(({ rule }) => rule === 'body-complete');
  expect(messages.map(({ exchange, message }) => `${exchange.slice(0, 6)}: ${message}`)).toEqual([
    'call 1: No answer came.',
    'call 2: The body breaks off after 7 bytes.',
  ]);
  expect(messages[0]?.exchange).toMatch(/cannot be reached/);
  expect(report.proxy.notJudged).toEqual([
    { exchange: `call 3, getApiCredit ${wallet}`, reason: 'the client left before the answer was whole' },
  ]);
});

/** A server of live sessions; what it says to a stop is the test's. */
function liveServer(answers: readonly object[], code = 1000, compressed = false) {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: compressed && { threshold: 0 } });
  return serve(good, (incoming, socket, head) => {
    sockets.handleUpgrade(incoming, socket, head, (peer) => {
      peer.on('message', (data: Buffer) => {
        if (data[0] !== 0x81 && data[0] !== 0x82) return;
        if ((decode(data) as { event?: string }).event !== 'stop') return;
        for (const answer of answers) peer.send(encode(answer));
        if (code > 0) peer.close(code);
      });
    });
  });
}

async function speakLive(
  url: string,
  messages: readonly unknown[],
  { compressed = false, leaves = false } = {},
): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/tts/live`, {
    headers: { authorization: `Bearer ${keyOfTests}`, model: 's2-pro' },
    perMessageDeflate: compressed && { threshold: 0 },
  });
  await once(socket, 'open');
  for (const message of messages) socket.send(typeof message === 'string' ? message : encode(message));
  if (leaves) socket.close(1000);
  await once(socket, 'close');
}

const started = { event: 'start', request: { text: '', format: 'pcm', sample_rate: 8000 } };
const script = [started, { event: 'text', text: 'The tide.' }, { event: 'stop' }];
const spoken = [
  { event: 'audio', audio: pcmOf(1, 8000) },
  { event: 'finish', reason: 'stop' },
];

test.each([false, true])('judges both sides of a live session (compressed: %s)', async (compressed) => {
  const proxy = await between(await liveServer(spoken, 1000, compressed));
  await speakLive(proxy.url, script, { compressed });
  const wrongOnes = ['words', { event: 'start' }, { event: 'sing' }, { event: 'stop', now: 1 }];
  await speakLive(proxy.url, wrongOnes, { compressed });
  const good = await proxy.close();
  const wrong = good.findings.filter(({ rule }) => rule === 'live-messages-sent');
  expect(wrong.map(({ where }) => where)).toEqual([
    'message 0',
    'message 1 /request',
    'message 2',
    'message 3 /now',
  ]);
  expect(good.findings.filter(({ exchange }) => exchange.startsWith('call 1,'))).toEqual([]);
  expect(good.coverage.cells.map(({ operationId, status }) => [operationId, status])).toEqual([
    ['openLiveSession', 101],
  ]);
  const bad = await between(await liveServer([{ event: 'finish', reason: 'done' }], 1011, compressed));
  await speakLive(bad.url, script, { compressed });
  const report = await bad.close();
  expect(report.findings.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['live-finish-reason', 'live-close-code']),
  );
});

test('a client that leaves a live session is not missing what the server had not said', async () => {
  const proxy = await between(await liveServer([], 0));
  await speakLive(proxy.url, script, { leaves: true });
  const report = await proxy.close();
  expect(report.findings).toEqual([]);
  expect(report.exchanges).toHaveLength(1);
});

test('a live session in frames that can not be read passes and is not judged', async () => {
  const sockets = new WebSocketServer({ noServer: true });
  const upstream = await serve(good, (incoming, socket, head) => {
    sockets.handleUpgrade(incoming, socket, head, () => socket.end(Buffer.from([0xf7, 0x01, 0x02])));
  });
  const proxy = await between(upstream);
  const socket = new WebSocket(`${proxy.url.replace('http', 'ws')}/v1/tts/live`);
  const [failure] = await once(socket, 'error');
  expect(failure.message).toContain('Invalid WebSocket frame');
  const report = await proxy.close();
  expect(report.exchanges).toEqual([]);
  expect(report.proxy.notJudged[0]?.reason).toMatch(/^it can't be read: Invalid WebSocket frame/);
});

test('trace ids that two answers share are noticed, though no call was planned', async () => {
  const headers = { [headerNames.traceId]: 'a'.repeat(32) };
  const sharing: Handler = (_incoming, outgoing) => answerJson(outgoing, 200, credit(), headers);
  const { findings } = await reportOf(sharing, [[wallet], [wallet]]);
  expect(findings.map(({ rule }) => rule)).toEqual(['trace-ids-are-not-shared']);
});

test('ends calls under way, and gives the same report twice', async () => {
  const { proxy } = await useProxy((_incoming, outgoing) => void outgoing.write('some'));
  (await openCall(proxy.url + wallet)).on('error', () => {});
  const [one, two] = await Promise.all([proxy.close(), proxy.close()]);
  expect(one).toBe(two);
  expect(one.proxy.notJudgedCount).toBe(1);
  await expect(call(`${proxy.url}${wallet}`)).rejects.toThrow();
});

test('refuses itself as the server, and a port that is in use', async () => {
  const upstream = await serve(good);
  const port = Number(new URL(upstream).port);
  await expect(startContractProxy({ upstream, port })).rejects.toThrow(
    `The proxy can't listen on 127.0.0.1:${port}: another program uses it. Choose another --port.`,
  );
  const free = await startContractProxy({ upstream, port: 0 });
  const own = Number(new URL(free.url).port);
  await free.close();
  await expect(startContractProxy({ upstream: `http://localhost:${own}`, port: own })).rejects.toThrow(
    'is the proxy itself. Give the address of the server.',
  );
});
