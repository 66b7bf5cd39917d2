import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:net';
import { dirname, join } from 'node:path';
import { measureAudio } from '@speech-api/audio';
import { afterAll, expect, test } from 'vitest';
import { bodyOf, passOn, serve } from './testing/local-server.ts';
import { cleanEnvironment, speechPath, useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const { folder, environment, speech } = useSpeech(service);
const text = 'The ferry leaves at noon, and the gulls leave with it.';

/** The sandbox behind a counter of calls; `before` runs before a call is passed on. */
async function counted(before: () => unknown = () => {}) {
  const calls: string[] = [];
  const url = await serve(async (request, response) => {
    const body = await bodyOf(request);
    calls.push(request.url ?? '');
    await before();
    await passOn(service.url, request, body, response);
  });
  return { calls, environment: { SPEECH_BASE_URL: url } };
}

/** The file that an error names, which its owner alone can read. */
async function keptFile(stderr: string): Promise<string> {
  const [, path = ''] = /What was billed is in (.*)\.\n$/.exec(stderr) ?? [];
  afterAll(() => rm(dirname(path), { recursive: true, force: true }));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  return path;
}

test('nothing is sent while the output cannot be written or the input cannot be used', async () => {
  await writeFile(join(folder, 'book.md'), '# One\n\nThe ferry leaves.\n\n# Two\n\nThe gulls stay.\n');
  expect(await speech(['speak', text, '-o', 'there.wav'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^wrote/),
  });
  await mkdir(join(folder, 'taken.vtt'));
  const { calls, environment: counting } = await counted();
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['speak', text, '-o', ''], 2, /'-o, --output <file>' argument '' is invalid\. It is empty/],
    [['speak', text, '-o', 'no/where.wav'], 1, /There is no folder .*no\. Make it/],
    [['speak', text, '-o', 'book.md/x.wav'], 1, /book\.md is a file, not a folder/],
    [['speak', text, '-o', 'x.wav', '--journal', ''], 2, /It is empty/],
    [['speak', text, '-o', `${'x'.repeat(252)}.wav`], 1, /shorter name/],
    [['speak', text, '-o', 'taken.wav', '--captions', 'vtt'], 2, /taken\.vtt is a folder/],
    [['speak', 'book.md', '-o', 'there.wav', '--chapter-files', '--chapters'], 2, /cannot be used with/],
    [['speak', text, '--reference', 'nofile.wav', '-o', 'x.wav'], 2, /There is no file nofile\.wav/],
    [['speak', text, '--voice', '', '-o', 'x.wav'], 2, /--voice <id>' .* It is empty/],
    [['transcribe', 'there.wav', '--language', 'english'], 2, /--language english .* such as en/],
    [['transcribe', 'there.wav', '--language', 'xx'], 2, /--language xx .* such as en/],
    [['transcribe', 'there.wav', '-o', 'no/where.txt'], 1, /There is no folder/],
    [['transcribe', 'there.wav', '--captions', 'vtt', '-o', 'taken.txt'], 2, /taken\.vtt is a folder/],
    [['transcribe', 'there.wav', '-o', 'x.txt', '--output-dir', 'x'], 2, /--output-dir/],
    [['voices', 'create', 'nofile.wav', '--title', 'x'], 2, /There is no file nofile\.wav/],
  ];
  for (const [args, code, message] of cases) {
    const ran = await speech(args, { environment: counting });
    expect([args, ran.code, ran.stderr]).toEqual([args, code, expect.stringMatching(message)]);
    // Names of the library and of the interface are of no use here.
    expect(ran.stderr).not.toMatch(/createSpeech|createTranscription|reference_id|_bitrate/);
  }
  expect(calls).toEqual([]);
  expect((await readdir(folder)).filter((name) => /partial|parts/.test(name))).toEqual([]);
});

test('a disk without room for the estimate is refused before anything is sent', async () => {
  const small = join(folder, 'small-disk.cjs');
  await writeFile(
    small,
    `require('node:fs/promises').statfs = async () => ({ bavail: 50, bsize: 1000 });
require('node:module').syncBuiltinESMExports();
`,
  );
  const { calls, environment: counting } = await counted();
  const speak = (name: string) =>
    speech(['speak', text, '-o', name], { environment: { ...counting, NODE_OPTIONS: `--require ${small}` } });
  expect(await speak('large.wav')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/disk of large\.wav has 50\.0 kB free, and about 2\d\d\.\d kB are needed/),
  });
  expect(calls).toEqual([]);
  expect(await speak('small.opus')).toMatchObject({ code: 0 });
});

test.each([
  ['a name that appeared meanwhile', 'taken', () => writeFile(join(folder, 'taken.wav'), 'mine')],
  ['a folder that was removed meanwhile', 'gone/late', () => rm(join(folder, 'gone'), { recursive: true })],
])('audio that cannot be written because of %s is kept for its owner alone', async (_case, name, break_) => {
  await mkdir(join(folder, 'gone'), { recursive: true });
  const { environment: broken } = await counted(break_);
  const ran = await speech(['speak', text, '-o', `${name}.wav`], { environment: broken });
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^speech: \S+ could not be written: /),
  });
  const kept = await readFile(await keptFile(ran.stderr));
  expect(measureAudio(kept, 'wav').seconds).toBeGreaterThan(2);
});

test('a stdout on a full disk ends in one sentence, and what was billed is kept', async () => {
  const ran = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
    const shell = 'exec "$0" "$@" > /dev/full';
    const args = ['speak', text, '-o', '-', '--format', 'wav'];
    const child = spawn('sh', ['-c', shell, process.execPath, speechPath, ...args], {
      cwd: folder,
      env: cleanEnvironment(folder, environment()),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (piece: Buffer) => {
      stderr += piece.toString();
    });
    child.on('close', (code) => resolve({ code, stderr }));
  });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/^speech: stdout .*ENOSPC.*\n$/) });
  expect(measureAudio(await readFile(await keptFile(ran.stderr)), 'wav').seconds).toBeGreaterThan(2);
});

test('--json makes JSON of errors of the parser too', async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['speak', 'hi', '--json', '--formatt', 'wav'], /unknown option '--formatt'/],
    [['--json', 'transcribe'], /missing required argument/],
    [['voices', '--json'], /a command is missing/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await speech(args);
    expect([code, JSON.parse(stderr)]).toEqual([
      2,
      {
        error: {
          kind: 'UsageError',
          message: expect.stringMatching(message),
          hint: expect.any(String),
          code: 2,
        },
      },
    ]);
  }
});

test('https on a port that speaks http names the remedy, and so does the other way round', async () => {
  const secure = service.url.replace('http:', 'https:');
  expect(await speech(['wallet'], { environment: { SPEECH_BASE_URL: secure } })).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^speech: the connection .*try http:\/\//),
  });
  // A TLS server answers plain text with an alert.
  const server = createPlainServer((socket) => socket.end(Buffer.from([21, 3, 1, 0, 2, 2, 70])));
  afterAll(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const plain = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  expect(await speech(['wallet'], { environment: { SPEECH_BASE_URL: plain } })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('try https://'),
  });
});

test('file names are printed without control characters', async () => {
  const ran = await speech(['speak', text, '-o', 'red\u001b[31m\nline.wav']);
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^wrote red line\.wav, [^\n]*\n$/) });
});

test('--chapter-files writes a file for each chapter', async () => {
  const args = ['speak', 'book.md', '-o', 'chapter.mp3', '--chapter-files', '--title', 'The Sea'];
  const planned = await speech([...args, '--dry-run', '--json']);
  expect(JSON.parse(planned.stdout)).toMatchObject({
    requests: 2,
    output: ['chapter-01.mp3', 'chapter-02.mp3'],
  });
  expect(await speech(args)).toMatchObject({ code: 0 });
  for (const [name, title] of [
    ['chapter-01.mp3', 'One'],
    ['chapter-02.mp3', 'Two'],
  ] as const) {
    const mp3 = await readFile(join(folder, name));
    expect(measureAudio(mp3, 'mp3').seconds).toBeGreaterThan(0.5);
    for (const shown of ['The Sea', title]) expect(mp3.includes(Buffer.from(shown, 'utf16le'))).toBe(true);
  }
});

test('--dry-run estimates the cost from the prices in the configuration file', async () => {
  const config = join(folder, 'prices.json');
  const prices = { currency: 'USD', speak: { million_bytes: 15 }, transcribe: { hour: 3600, request: 1 } };
  await writeFile(config, JSON.stringify({ prices }));
  const plan = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await speech([...args, '--dry-run', '--json', '--config', config])).stdout);
  expect(await plan('speak', 'a'.repeat(1000), '-o', 'x.wav')).toMatchObject({
    estimated_cost: 0.015,
    currency: 'USD',
  });
  const { seconds } = measureAudio(await readFile(join(folder, 'there.wav')), 'wav');
  expect(await plan('transcribe', 'there.wav')).toMatchObject({
    estimated_cost: Number((seconds + 1).toPrecision(3)),
  });
  await writeFile(config, JSON.stringify({ prices: { speak: { word: 1 } } }));
  expect(await speech(['speak', text, '--dry-run', '--config', config])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/prices\.speak\.word is unknown.*million_characters/),
  });
});
