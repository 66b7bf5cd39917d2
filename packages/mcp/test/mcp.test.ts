import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readWavHeader } from '@speech-api/audio';
import { startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

const program = new URL('../src/bin.ts', import.meta.url).pathname;
const key = 'sandbox-key';
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, logger: () => {} });
});

afterAll(() => sandbox.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'speech-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** A server as a host starts it, and a function that calls its tools. */
async function start(args: readonly string[] = [], baseUrl = sandbox.url) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, ...args],
      env: { SPEECH_API_KEY: key, SPEECH_BASE_URL: baseUrl },
    }),
  );
  onTestFinished(() => client.close());
  const call = async (name: string, input: object, signal?: AbortSignal) => {
    const { content, isError = false } = await client.callTool(
      { name, arguments: { ...input } },
      { ...(signal && { signal }) },
    );
    return { text: content.map((part) => (part.type === 'text' ? part.text : part.type)).join(), isError };
  };
  return { client, call };
}

const billing = (): string[] => ['--allow-billing', '--folder', folder];

/** A fake service. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('two tools are billed, and those that read the package need no service', async () => {
  const { client, call } = await start([], 'http://127.0.0.1:2');
  const { tools } = await client.listTools();
  // JSON Schema that every client accepts: no formats of a library's own, and no Unicode classes.
  expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toMatch(
    /"format"|"propertyNames"|\\\\p\{/,
  );
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['search_docs', true],
    ['read_operation', true],
    ['check_request', true],
    ['explain_finding', true],
    ['speak_to_file', false],
    ['transcribe_file', false],
    ['list_voices', true],
  ]);
  expect((await call('search_docs', { query: 'is a POST sent again' })).text).toContain('/guides/errors');
  expect((await call('search_docs', { query: 'how do I clone a voice' })).text).toMatch(/^\/guides\/cloning/);
  expect((await call('search_docs', { query: 'mu-law telephone line' })).text).toMatch(
    /^\/guides\/telephony/,
  );
  expect((await call('search_docs', { query: 'xyzzyxyzzy' })).text).toMatch(/^Nothing fits/);
  const { text } = await call('read_operation', { operation: 'createSpeech' });
  expect(text.length).toBeLessThan(14_000);
  const operation = JSON.parse(text);
  expect(Object.keys(operation)).toEqual(['POST /v1/tts', 'components']);
  expect(Object.keys(operation['POST /v1/tts'].responses['200'].headers)).toContain('x-trace-id');
  const used = [...JSON.stringify(operation).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name);
  expect(new Set(used)).toEqual(new Set(Object.keys(operation.components)));
  const explained = await call('explain_finding', { rule: 'audio-sample-rate' });
  expect(explained.text).toMatch(/^audio-sample-rate: error, section 2\.3/);
  expect(await call('explain_finding', { rule: 'audio-rate' })).toEqual({
    text: expect.stringContaining('Unknown rule "audio-rate"'),
    isError: true,
  });
});

test('check_request says what a request breaks, without sending it', async () => {
  const { call } = await start();
  const synthesis = { method: 'POST', path: '/v1/tts', headers: { Model: 's2-pro' } };
  const asText = { ...synthesis.headers, 'content-type': 'text/plain' };
  const sample = { audio: { base64: 'UklGRg==' }, text: 'Tea.' };
  const asMessagePack = { ...synthesis.headers, 'content-type': 'application/msgpack' };
  const recording = { method: 'POST', path: '/v1/asr', headers: { 'content-type': 'multipart/form-data' } };
  const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
  const model = { method: 'PATCH', path: '/model/a', headers: {} };
  const typed = (request: { headers: object }, type: string, body: object) => {
    return { ...request, headers: { ...request.headers, 'content-type': type }, body };
  };
  const message = /^The request keeps/;
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ ...synthesis, body: { text: 'Tea.', format: 'wav', sample_rate: 8000 } }, message],
    [{ ...synthesis, body: { text: 'Tea.', references: [sample] } }, message],
    [{ ...synthesis, headers: asMessagePack, body: { text: 'Tea.', references: [sample] } }, message],
    [{ ...recording, body: { audio: sample.audio, language: 'en' } }, message],
    [{ method: 'patch', path: '/model/a', headers: asForm, body: { tags: ['a', 'b'] } }, message],
    [typed(synthesis, 'application/json; charset=utf-8', { text: 'Tea.', references: [sample] }), message],
    [typed(synthesis, 'Application/MsgPack', { text: 'Tea.', references: [sample] }), message],
    [typed(recording, 'Multipart/Form-Data', { audio: sample.audio }), message],
    [typed(model, 'application/x-www-form-urlencoded ; charset=utf-8', { title: 'Tea' }), message],
    [
      { ...synthesis, body: { text: 'Tea.', format: 'mp4', temprature: 1 } },
      /422:\n`format` must be one of wav, pcm, mp3 or opus, not "mp4"; did you mean mp3\?\n.*`temperature`\?$/,
    ],
    [
      { ...synthesis, body: { text: 'Tea.', format: 'mp3', sample_rate: 8000 } },
      /400:\n.* use 32000 or 44100/,
    ],
    [{ ...synthesis, headers: asText, body: { text: 'Tea.' } }, /415:\n.* send application\/json or /],
    [{ ...synthesis, headers: {}, body: { text: 'Tea.' } }, /422:\nthe header `model` is missing/],
    [{ ...recording, body: { audio: 'Tea.' } }, /422:\n`audio` must be a file/],
    [{ method: 'get', path: '/model?page_size=0' }, /422:\n.*`page_size` must be at least 1/],
    [{ method: 'GET', path: '/v1/speech' }, /404:\nThere is nothing at "\/v1\/speech"/],
  ];
  for (const [input, expected] of cases)
    expect(await call('check_request', input)).toEqual({
      text: expect.stringMatching(expected),
      isError: false,
    });
});

describe('speak_to_file', () => {
  test('writes a whole file, once, and counts code points', async () => {
    // Its folder is made, and those around it.
    const inner = join(folder, 'new', 'speech');
    const { call } = await start(['--allow-billing', '--folder', inner, '--budget', '10']);
    const spoken = await call('speak_to_file', { text: 'Tea 🍵.', file: 'tea.wav' });
    expect(spoken).toEqual({ text: expect.stringMatching(/budget: 4\.$/), isError: false });
    const wav = readFileSync(join(inner, 'tea.wav'));
    const header = readWavHeader(wav);
    expect(header?.declaredDataBytes).toBe(wav.length - (header?.dataOffset ?? 0));
    const again = await call('speak_to_file', { text: 'Tea.', file: 'tea.wav' });
    expect(again).toEqual({ text: expect.stringMatching(/exists\. Choose another name\.$/), isError: true });
    expect(readFileSync(join(inner, 'tea.wav'))).toEqual(wav);
    const tooLong = await call('speak_to_file', { text: 'Tea, please.', file: 'more.mp3' });
    expect(tooLong).toEqual({
      text: expect.stringMatching(/^This takes 12 characters.* has 4 left/),
      isError: true,
    });
    const longest = `${'𠮷'.repeat(50)}.opus`;
    // The failed attempt with a taken name cost nothing.
    const last = await call('speak_to_file', {
      text: 'Tea.',
      file: longest,
      reference_id: 'sandbox-alba',
      // Models write this for a field that they leave out.
      model: null,
    });
    expect(last.text).toMatch(/budget: 0\.$/);
    expect(readdirSync(inner).sort()).toEqual(['tea.wav', longest]);
  });

  test('sends nothing unless billing was allowed', async () => {
    let calls = 0;
    const { call } = await start(
      [],
      await serve((_request, response) => {
        calls += 1;
        response.end();
      }),
    );
    const refused = await call('speak_to_file', { text: 'Tea.', file: 'tea.mp3' });
    expect(refused).toEqual({ text: expect.stringContaining('--allow-billing'), isError: true });
    expect(calls).toBe(0);
  });

  test('takes no name that could lead out of its folder, has no format or is too long for a file', async () => {
    const { call } = await start(billing());
    const names = ['../a.mp3', 'a/b.mp3', '/tmp/a.mp3', 'C:a.mp3', '..\\a.mp3', '.a.mp3', 'a.exe', 'a.mp3\n'];
    names.push(`${'a'.repeat(51)}.mp3`);
    for (const file of names) {
      const refused = await call('speak_to_file', { text: 'Tea.', file });
      expect(refused).toEqual({
        text: expect.stringMatching(/^Input validation error: .*file/),
        isError: true,
      });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('counts nothing and leaves no file when no address is configured', async () => {
    const { call } = await start([...billing(), '--budget', '4'], '');
    for (const _ of [1, 2]) {
      const failed = await call('speak_to_file', { text: 'Tea.', file: 'tea.mp3' });
      expect(failed).toEqual({
        text: expect.stringMatching(/^ConfigurationError: .*SPEECH_BASE_URL/),
        isError: true,
      });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('follows no link out of its folder', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'speech-mcp-outside-'));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    writeFileSync(join(outside, 'kept.mp3'), 'kept');
    symlinkSync(join(outside, 'kept.mp3'), join(folder, 'kept.mp3'));
    symlinkSync(join(outside, 'new.mp3'), join(folder, 'new.mp3'));
    const { call } = await start(billing());
    for (const file of ['kept.mp3', 'new.mp3']) {
      const refused = await call('speak_to_file', { text: 'Tea.', file });
      expect(refused).toEqual({ text: expect.stringContaining('exists'), isError: true });
    }
    expect([readFileSync(join(outside, 'kept.mp3'), 'utf8'), existsSync(join(outside, 'new.mp3'))]).toEqual([
      'kept',
      false,
    ]);
  });

  test.each([
    ['words in place of audio', 200, 'text/html', /^ProtocolError: .*search_docs/],
    ['bytes of another format', 200, 'audio/mpeg', /^ProtocolError/],
    [
      'a refusal that shows the key',
      402,
      'application/json',
      /^InsufficientCreditError: .*No credit: Bearer \[key\]/,
    ],
  ])('%s leave no file, are asked for once, and show no key', async (_name, status, type, expected) => {
    let calls = 0;
    const url = await serve((request, response) => {
      calls += 1;
      const message = `No credit: ${request.headers.authorization}`;
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify({ status, message }));
    });
    const { call } = await start([...billing(), '--budget', '5'], url);
    const failed = await call('speak_to_file', { text: 'Tea.', file: 'tea.mp3' });
    expect(failed).toEqual({ text: expect.stringMatching(expected), isError: true });
    expect(failed.text).not.toContain(key);
    expect([calls, readdirSync(folder)]).toEqual([1, []]);
    // A refusal costs nothing; any other answer may have been billed.
    const again = status === 402 ? /No credit/ : /has 1 left/;
    expect((await call('speak_to_file', { text: 'Tea.', file: 'tea.mp3' })).text).toMatch(again);
  });

  test('cuts audio that is too long for its text, and keeps no file', async () => {
    const piece = new Uint8Array(1024 * 1024).fill(0xff);
    const closed = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).on('close', closed.resolve);
      const send = (): boolean => response.write(piece, () => response.destroyed || send());
      send();
    });
    const { call } = await start(billing(), url);
    const failed = await call('speak_to_file', { text: 'Tea.', file: 'tea.mp3' });
    expect(failed).toEqual({ text: expect.stringContaining('than 4194304 bytes'), isError: true });
    await closed.promise;
    expect(readdirSync(folder)).toEqual([]);
  }, 30_000);

  /** A service that speaks forever without long pauses, so that only the caller can end it. */
  async function serveEndless() {
    const begun = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      const drip = setInterval(() => response.write(Uint8Array.of(0xff)), 100);
      response.on('close', () => {
        clearInterval(drip);
        closed.resolve();
      });
      begun.resolve();
    });
    return { url, begun: begun.promise, closed: closed.promise };
  }

  test('an aborted call closes its connection and leaves no file', async () => {
    const { url, begun, closed } = await serveEndless();
    const { call } = await start(billing(), url);
    const controller = new AbortController();
    const aborted = call('speak_to_file', { text: 'Tea.', file: 'tea.mp3' }, controller.signal);
    await begun;
    controller.abort();
    await expect(aborted).rejects.toThrow();
    await closed;
    await expect.poll(() => readdirSync(folder)).toEqual([]);
  });

  test('closes the connection when the file cannot be written', async () => {
    let isOpen = true;
    const url = await serve((_request, response) => {
      rmSync(folder, { recursive: true });
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(Uint8Array.of(0xff, 0xfb));
      response.on('close', () => {
        isOpen = false;
      });
    });
    const { call } = await start(billing(), url);
    const failed = await call('speak_to_file', { text: 'Tea.', file: 'tea.mp3' });
    expect(failed).toEqual({ text: expect.stringContaining('ENOENT'), isError: true });
    mkdirSync(folder);
    // The call ends well before the deadline of an answer that pauses.
    await expect.poll(() => isOpen, { timeout: 5000 }).toBe(false);
  });

  test.each(['SIGTERM', 'SIGINT'])('a server that is ended with %s leaves no file', async (signal) => {
    const { url, begun, closed } = await serveEndless();
    const { client, call } = await start(billing(), url);
    const ended = expect(call('speak_to_file', { text: 'Tea.', file: 'tea.mp3' })).rejects.toThrow();
    await begun;
    process.kill((client.transport as StdioClientTransport).pid ?? 0, signal);
    await Promise.all([ended, closed]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('transcribe_file reads what speak_to_file made, in its folder alone, and counts recordings', async () => {
  const { call } = await start([...billing(), '--recordings', '2']);
  await call('speak_to_file', { text: 'Tea at five.', file: 'tea.wav' });
  symlinkSync(join(folder, 'tea.wav'), join(folder, 'link.wav'));
  for (const file of ['../tea.wav', 'link.wav', 'none.wav'])
    expect((await call('transcribe_file', { file })).text).toContain('There is no file');
  const read = async (captions: boolean) =>
    (await call('transcribe_file', { file: 'tea.wav', captions })).text;
  expect(await read(false)).toBe('Tea at five.');
  expect(await read(true)).toMatch(/^1\n.*\nTea at five\.\n/);
  expect(await read(false)).toContain('has 0 left');
});

test('list_voices gives the ids that speak_to_file takes', async () => {
  const { call } = await start();
  expect((await call('list_voices', { language: 'en' })).text).toMatch(
    /^\d+ of \d+ voices\n.*^sandbox-alba: /ms,
  );
});

test('the command explains itself, and refuses options that do not go together', async () => {
  const run = promisify(execFile);
  expect((await run(process.execPath, [program, '--help'])).stdout).toContain('--allow-billing');
  for (const args of [
    ['--allow-billing'],
    ['--budget', '5'],
    ['--folder', folder],
    [...billing(), '--budget', '0'],
    ['--allow-billing', '--folder', '~nobody/speech'],
    ['--allow-billing', '--folder', '$SPEECH/speech'],
  ]) {
    const refused = run(process.execPath, [program, ...args]);
    await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('--help') });
  }
});

test('on an older Node the command says which one it needs', async () => {
  const versions = { ...process.versions, node: '20.19.5' };
  const older = `Object.defineProperty(process, 'versions', { value: ${JSON.stringify(versions)} })`;
  const run = promisify(execFile)(process.execPath, ['--import', `data:text/javascript,${older}`, program]);
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr:
      '@speech-api/mcp needs Node 22.12.0 or newer; this is Node 20.19.5. "npm install node@latest" adds a newer one to your project.\n',
  });
});
