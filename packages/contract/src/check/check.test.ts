import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { credit } from '../testing/exchanges.ts';
import { runCommand } from '../testing/serve.ts';
import { pcmOf, wavOf } from '../testing/sound.ts';
import { check, checkRequest } from './check.ts';

const folder = mkdtempSync(join(tmpdir(), 'speech-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = 'a-key-in-a-recording';

const json = (value: unknown) => ({ mimeType: 'application/json', text: JSON.stringify(value) });
const wav = wavOf(pcmOf(1, 8000), 8000);
const audio = { mimeType: 'audio/wav', encoding: 'base64', text: Buffer.from(wav).toString('base64') };
const speechRequest = { text: 'The tide comes in.', format: 'wav', sample_rate: 8000 };

function headersOf(headers: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** An entry of a HAR file; what is sent is JSON. */
function entry(method: string, path: string, status: number, content: { mimeType?: string }, sent?: object) {
  const authorization = { Authorization: `Bearer ${key}` };
  const request = { method, url: `https://api.example.com/base${path}` };
  return {
    request:
      sent === undefined
        ? { ...request, headers: headersOf(authorization) }
        : {
            ...request,
            headers: headersOf({ ...authorization, 'Content-Type': 'application/json' }),
            postData: json(sent),
          },
    response: {
      status,
      headers: headersOf({ 'Content-Type': content.mimeType ?? '' }),
      content: { size: 9, ...content },
      httpVersion: 'HTTP/2.0',
    },
  };
}

const wallet = (changes = {}) => entry('GET', '/wallet/self/api-credit', 200, json(credit(changes)));
const speech = (sent = {}, content: { mimeType?: string } = audio) =>
  entry('POST', '/v1/tts', 200, content, { ...speechRequest, ...sent });

let files = 0;

function write(content: unknown): string {
  files += 1;
  const file = join(folder, `${files}.har`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const har = (...entries: readonly unknown[]) => write({ log: { version: '1.2', creator: {}, entries } });
const rulesOf = async (...entries: readonly unknown[]) =>
  (await check([har(...entries)])).findings.map(({ rule }) => rule);

describe('a HAR file', () => {
  test('has its violations found, with the name of the file', async () => {
    const file = har(wallet({ user_id: null }), speech({ sample_rate: 16_000 }));
    const { findings } = await check([file]);
    expect(findings.map(({ rule }) => rule)).toEqual(['field-type', 'audio-sample-rate']);
    expect(findings[0]?.source).toEqual({ file });
  });

  test('must have refused a request that breaks its schema in what the interface states', async () => {
    const issue = { loc: ['body', 'temperature'], type: 'x', msg: 'too high', ctx: '' };
    const refused = entry('POST', '/v1/tts', 422, json([issue]), { ...speechRequest, temperature: 2 });
    expect(await rulesOf(refused)).toEqual([]);
    expect(await rulesOf(speech({ temperature: 2 }))).toEqual(['refusal-expected']);
  });

  test('may have let through what other servers refuse: unknown fields and explicit nulls', async () => {
    expect(await rulesOf(speech({ mood: 'calm', prosody: null, top_p: null }))).toEqual([]);
  });

  test('has entries of other services left out, and unanswered ones counted', async () => {
    const logo = entry('GET', '/assets/logo.png', 200, { mimeType: 'image/png' });
    const report = await check([har(wallet(), logo, entry('GET', '/model', 0, {}))]);
    expect(report.recordings).toMatchObject({ ignored: 1, gaps: 1 });
    expect(report.exchanges).toHaveLength(1);
  });

  test('of Firefox has answers that the page stopped, written like whole ones: only what came is judged', async () => {
    const file = fileURLToPath(new URL('../testing/firefox.har', import.meta.url));
    expect((await check([file])).findings).toEqual([]);
    const other = readFileSync(file, 'utf8').replaceAll('\\"sample_rate\\":8000', '\\"sample_rate\\":16000');
    const { findings } = await check([write(other)]);
    expect(findings.map(({ rule }) => rule)).toEqual(['audio-sample-rate', 'audio-sample-rate']);
  });

  test('may come from a recorder that decodes bodies, and keeps their length alone', async () => {
    const { request, response } = wallet();
    const headers = headersOf({ 'Content-Type': 'application/json', 'Content-Length': '150' });
    expect(await rulesOf({ request, response: { ...response, headers } })).toEqual([]);
  });

  test('does not judge bodies that were not kept', async () => {
    expect(await rulesOf(entry('GET', '/model', 200, { mimeType: 'application/json' }))).toEqual([]);
    expect(await rulesOf(speech({}, { mimeType: 'audio/wav', ...{ text: 'RIFF?' } }))).toEqual([]);
  });

  test.each([
    ['a request that was blocked', { status: 0 }],
    ['one that Playwright has no answer of', { status: -1 }],
    ['an answer of the cache', { status: 304 }],
    ['a stream that was stopped in Chrome', { _error: 'net::ERR_ABORTED' }],
    ['a stream that was stopped in Playwright', { _failureText: 'net::ERR_ABORTED' }],
    ['a body that Playwright did not keep', { content: { size: -1, mimeType: 'application/json' } }],
    ['a body that Firefox cut', { content: { size: 2_000_000, ...json({}), text: '{"_id":"c1","credit":' } }],
    [
      'a body that is shorter than its length',
      { headers: headersOf({ 'Content-Length': '900' }), content: json({}) },
    ],
  ])('has gaps that are counted and not judged: %s', async (_, lost) => {
    const call = wallet();
    const report = await check([har(wallet(), { ...call, response: { ...call.response, ...lost } })]);
    expect(report.findings).toEqual([]);
    expect(report.recordings).toMatchObject({ gaps: 1, ignored: 0 });
  });

  test('may have its bodies in files beside it, as Playwright writes them', async () => {
    writeFileSync(join(folder, 'body.json'), JSON.stringify(credit({ user_id: 7 })));
    const call = wallet();
    const content = { size: -1, mimeType: 'application/json', _file: 'body.json' };
    expect(await rulesOf({ ...call, response: { ...call.response, content } })).toEqual(['field-type']);
    const { request, response } = speech();
    writeFileSync(join(folder, 'sent.json'), JSON.stringify({ ...speechRequest, sample_rate: 16_000 }));
    const sent = (name: string) => ({ request: { ...request, postData: { _file: name } }, response });
    expect(await rulesOf(sent('sent.json'))).toEqual(['audio-sample-rate']);
    expect((await check([har(sent('lost.json'))])).recordings).toMatchObject({ gaps: 1 });
  });

  test('counts calls below the address of the first call with a key, or below --base', async () => {
    const shop = {
      ...entry('GET', '/model', 200, json([])),
      request: { method: 'GET', url: 'https://shop.example.net/studio/model', headers: [] },
    };
    const { findings, recordings, exchanges } = await check([har(shop, wallet())]);
    expect([findings, recordings.ignored, exchanges.length]).toEqual([[], 1, 1]);
    const report = await check([har(shop, wallet())], { base: 'https://shop.example.net/studio' });
    expect(report.exchanges.map(({ operationId }) => operationId)).toEqual(['listModels']);
  });
});

const run = (...words: readonly string[]) => runCommand(words);

const goodFile = har(wallet());
const brokenFile = har(entry('DELETE', '/model/x', 404, json({ status: 404 })));

describe('speech-contract check', () => {
  test('ends with 0 for a contract that is kept and 1 for one that is not', async () => {
    expect(await run('check', goodFile)).toMatchObject({ code: 0, error: '' });
    const { code, out } = await run('check', goodFile, brokenFile);
    expect(code).toBe(1);
    expect(out).toContain('error-body-shape');
  });

  test('adds its report to the summary of a hosted job, and why nothing was judged', async () => {
    const GITHUB_STEP_SUMMARY = join(folder, 'summary.md');
    for (const file of [brokenFile, 'missing.har'])
      await runCommand(['check', file], { GITHUB_STEP_SUMMARY });
    expect(readFileSync(GITHUB_STEP_SUMMARY, 'utf8')).toMatch(
      /^## Speech contract\n\n {4}Errors \(1\)\n[\s\S]+\n## Speech contract: nothing was judged\n\n {4}\S.+ can't be read/,
    );
  });

  test('takes a baseline that is not there for an empty one, writes one, and applies it', async () => {
    const file = join(folder, 'baseline.json');
    expect(await run('check', '--baseline', file, brokenFile)).toMatchObject({ code: 1 });
    const unanswered = har(entry('GET', '/model', 503, json({ status: 503, message: 'no' })));
    const path = join(folder, 'of-what-was-not-judged.json');
    expect(await run('check', unanswered)).toMatchObject({ code: 2 });
    expect(await run('check', '--write-baseline', path, unanswered)).toMatchObject({ code: 0 });
    expect(await run('check', '--write-baseline', file, brokenFile)).toMatchObject({ code: 0 });
    expect(await run('check', '--baseline', file, brokenFile)).toMatchObject({ code: 0 });
    const { code, error } = await run('check', '--baseline', file, goodFile);
    expect(code).toBe(0);
    expect(error).toContain(
      'The baseline lists "error-body-shape deleteModel /message", which is no longer found',
    );
  });

  test.each([
    [['check'], "missing required argument 'files'"],
    [['check', '--fail-on', 'notes', goodFile], 'Allowed choices are error, warning, drift.'],
    [['check', '--report', 'pdf=x', goodFile], "'pdf=x' is invalid. Use FORMAT=FILE"],
    [['check', '--baseline', goodFile, goodFile], 'is not a baseline. Write one with --write-baseline'],
    [['check', '--nonsense', goodFile], '--nonsense'],
    [['check', '--profile', 'half', goodFile], 'Allowed choices are full, stateless.'],
    [['check', relative('.', join(folder, 'none.har'))], `${join(folder, 'none.har')} can't be read: ENOENT`],
    [['check', write('\n')], 'it is empty.'],
    [['check', har()], 'it has no entries.'],
    [['check', write('no JSON')], 'it is neither a HAR file nor a transcript'],
    [['check', write({ hello: 1 })], 'no "log"'],
    [['check', write({ log: {} })], 'a HAR file needs log.entries.'],
    [['check', har({})], 'log.entries[0] needs a request with method and url.'],
    [
      ['check', har(entry('GET', '/elsewhere', 200, { mimeType: 'text/html' }))],
      'There is no call of the speech API',
    ],
    [['check', write('{"transcript":2}\n{"end":"clean"}')], 'it is not a whole transcript of version 1.'],
    [['judge'], "unknown command 'judge'"],
  ])('ends with 2 and says what would be right: %j', async (words, message) => {
    const { code, error, out } = await run(...words);
    expect(code).toBe(2);
    expect(error).toContain(message);
    expect(out).toBe('');
  });

  test('tells how it is used, and its version', async () => {
    expect((await run('--help')).out).toContain('speech-contract [options] [command]');
    expect((await run('check', '--help')).out).toContain('--write-baseline <file>');
    expect((await run('help', 'check')).out).toBe((await run('check', '--help')).out);
    expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await run()).toMatchObject({ code: 2, out: '' });
  });

  test('writes JSON instead of the summary, reports to files, and annotations where GitHub runs it', async () => {
    const file = join(folder, 'reports', 'r.xml');
    const words = ['check', '--json', '--report', `junit=${file}`, brokenFile];
    const { code, out, error } = await runCommand(words, { GITHUB_ACTIONS: 'true' });
    expect(code).toBe(1);
    expect(error).toMatch(/^::error file=/);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'broken', recordings: { files: [brokenFile] } });
    expect(readFileSync(file, 'utf8')).toContain('<failure');
  });
});

const transcripts = new URL('../../../../spec/transcripts/', import.meta.url);
const names = readdirSync(transcripts).filter((name) => name.endsWith('.jsonl'));

test.each(names)('finds in %s what the transcript says that it breaks, and nothing else', async (name) => {
  const file = fileURLToPath(new URL(name, transcripts));
  const [opening = ''] = readFileSync(file, 'utf8').split('\n', 1);
  const { breaks } = JSON.parse(opening) as { breaks: string[] };
  const report = await check([file]);
  expect([...new Set(report.findings.map(({ rule }) => rule))].sort()).toEqual(breaks.sort());
});

test('a request that is checked is told the values that are allowed', async () => {
  const headers = { authorization: 'Bearer key', 'content-type': 'application/json', model: 's2-pro' };
  const body = new TextEncoder().encode('{"text":"Tea.","format":"mp4"}');
  expect(await checkRequest({ method: 'POST', url: 'http://127.0.0.1/v1/tts', headers, body })).toMatchObject(
    [
      {
        rule: 'request-fields',
        where: '/format',
        message: expect.stringMatching(
          /`\/format` is "mp4", which is not one of "wav", "pcm", "mp3", "opus"\.$/,
        ),
      },
    ],
  );
});
