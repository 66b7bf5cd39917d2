import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { decode, encode } from '@msgpack/msgpack';
import { check, startRecorder } from '@speech-api/contract';
import { missingPrograms } from '@speech-api/recipes/clients';
import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { answers, asks, startLyingProxy, without } from '../test/judge/lying-proxy.ts';
import { key } from './consumer.ts';

// HAR files as real tools write them. Firefox is left out: a stock one exports a file only from its open
// developer tools, so the judge keeps one as data.

const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
let sandbox: RunningSandbox;
let proxy: Awaited<ReturnType<typeof startLyingProxy>>;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, logger: () => {} });
  proxy = await startLyingProxy(sandbox.url);
});

afterAll(async () => {
  proxy?.close();
  await sandbox?.close();
  rmSync(folder, { recursive: true });
});

/** Sends JSON, MessagePack and a form, and reads JSON, audio and a stream. It runs in Node and in a page. */
async function callEverything([base, secret, packed]: [string, string, string]): Promise<void> {
  const authorization = `Bearer ${secret}`;
  const spoken = { text: 'The tide comes in.', format: 'wav', sample_rate: 16_000 };
  const post = async (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) => {
    const headers = { authorization, model: 's2-pro', 'content-type': type };
    return await (await fetch(base + path, { method: 'POST', headers, body })).arrayBuffer();
  };
  await (await fetch(`${base}/wallet/self/api-credit`, { headers: { authorization } })).text();
  const audio = await post('/v1/tts', 'application/json', JSON.stringify(spoken));
  await post(
    '/v1/tts',
    'application/msgpack',
    Uint8Array.from(atob(packed), (byte) => byte.charCodeAt(0)),
  );
  await post('/v1/tts/stream/with-timestamp', 'application/json', JSON.stringify(spoken));
  const form = new FormData();
  form.append('audio', new Blob([audio], { type: 'audio/wav' }), 'tide.wav');
  const upload = { method: 'POST', headers: { authorization }, body: form };
  await (await fetch(`${base}/v1/asr`, upload)).text();
}

const packed = Buffer.from(encode({ text: 'The tide comes in.', format: 'wav', sample_rate: 16_000 }));
const call = (base: string): Parameters<typeof callEverything>[0] => [base, key, packed.toString('base64')];

async function speakLive(base: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, model: 's2-pro' };
  const socket = new WebSocket(`${base.replace('http', 'ws')}/v1/tts/live`, { headers });
  await once(socket, 'open');
  const request = { text: '', format: 'wav', sample_rate: 16_000 };
  for (const message of [{ event: 'start', request }, { event: 'text', text: 'In.' }, { event: 'stop' }])
    socket.send(encode(message));
  socket.on('message', (data: Buffer) => {
    if ((decode(data) as { event: string }).event === 'finish') socket.close();
  });
  await once(socket, 'close');
}

/** A browser records the calls of a page of the server. */
const inChromium =
  (content: 'embed' | 'attach' | 'omit') =>
  async (file: string): Promise<void> => {
    const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const context = await browser.newContext({ recordHar: { path: file, content } });
      const page = await context.newPage();
      await page.goto(`${proxy.url}/nothing`);
      await page.evaluate(callEverything, call(proxy.url));
      await context.close();
    } finally {
      await browser.close();
    }
  };

async function inMitmproxy(file: string): Promise<void> {
  const words = ['--mode', `reverse:${proxy.url}`, '--listen-host', '127.0.0.1', '--listen-port', '0'];
  const child = spawn('mitmdump', [...words, '--set', `hardump=${file}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, port] = /listening at .*:(\d+)/.exec(line) ?? [];
      if (port === undefined) continue;
      await callEverything(call(`http://127.0.0.1:${port}`));
      await speakLive(`http://127.0.0.1:${port}`);
      break;
    }
  } finally {
    child.kill('SIGINT');
    await closed;
  }
}

async function inRecord(file: string): Promise<void> {
  const recorder = await startRecorder({ upstream: proxy.url, file, port: 0 });
  await callEverything(call(recorder.url));
  await speakLive(recorder.url);
  await recorder.close();
}

const tools = [
  { tool: 'Chromium, embed', needs: ['chromium'], record: inChromium('embed') },
  { tool: 'Chromium, attach', needs: ['chromium'], record: inChromium('attach') },
  { tool: 'Chromium, omit', needs: ['chromium'], record: inChromium('omit'), keepsNoBody: true },
  { tool: 'mitmproxy', needs: ['mitmdump'], record: inMitmproxy },
  { tool: 'speech-contract record', needs: [], record: inRecord },
].map((row) => ({ ...row, absent: missingPrograms(row.needs) }));

const typed = answers('/v1/tts/stream', ({ headers }) => ({
  headers: { ...headers, 'content-type': 'text/plain' },
}));
const ignoresRate = asks(without('sample_rate'));

test.each(tools.map((row) => [row.tool, row.absent ?? 'run', row] as const))(
  'a recording by %s convicts nobody but of a lie (%s)',
  async (tool, _absent, { record, absent, keepsNoBody = false }) => {
    if (absent !== undefined) return;
    const checked = async (behaviour: Parameters<typeof proxy.behave>[0], name: string) => {
      const file = join(folder, `${tool} ${name}.har`.replaceAll(/[ ,]+/g, '-'));
      proxy.behave(behaviour);
      await record(file);
      const { findings, exchanges, recordings } = await check([file]);
      const rules = findings.map(({ rule }) => rule);
      return { rules: [...new Set(rules)], findings, operations: exchanges, recordings };
    };
    const honest = await checked({}, 'honest');
    expect(honest.findings).toEqual([]);
    expect(honest.operations.length).toBeGreaterThanOrEqual(5);
    if (keepsNoBody) expect(honest.recordings.gaps).toBeGreaterThanOrEqual(5);
    expect((await checked(typed, 'typed')).rules).toEqual(['stream-media-type']);
    const sent = await checked(ignoresRate, 'rate');
    expect(sent.rules.includes('audio-sample-rate')).toBe(!keepsNoBody);
  },
);
