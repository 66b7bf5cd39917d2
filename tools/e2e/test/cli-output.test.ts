import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { measureAudio } from '@speech-api/audio';
import { afterAll, expect, test } from 'vitest';
import { bodyOf, passOn, serve } from './testing/local-server.ts';
import { text, useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const { folder, speech } = useSpeech(service);

/** The sandbox behind a call counter; `before` runs before a call is forwarded. */
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

/** The file that an error names, which only its owner can read. */
async function keptFile(stderr: string): Promise<string> {
  const [, path = ''] = /What was billed is in (.*)\.\n$/.exec(stderr) ?? [];
  afterAll(() => rm(dirname(path), { recursive: true, force: true }));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  return path;
}

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
  const copy = await readFile(await keptFile(ran.stderr));
  expect(measureAudio(copy, 'wav').seconds).toBeGreaterThan(2);
});

test('a stdout on a full disk ends in one sentence, and what was billed is kept', async () => {
  const args = ['speak', text, '-o', '-', '--format', 'wav'];
  const ran = await speech(args, { script: 'exec "$@" > /dev/full' });
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

// It waits for ten starts of the command, one after another.
test('--dry-run leaves out the parts that an earlier run has kept', async () => {
  await writeFile(
    join(folder, 'kept.md'),
    `${'The ferry leaves. '.repeat(180)}\n\nThe gulls stay, all of them.\n`,
  );
  const args = ['speak', 'kept.md', '-o', 'kept.mp3', '--captions', 'vtt', '--journal', 'kept'];
  const plan = async (args: readonly string[]): Promise<unknown> =>
    JSON.parse((await speech([...args, '--dry-run', '--json'])).stdout);
  expect(await plan(args)).toMatchObject({ requests: 2, kept_parts: 0 });
  // A plan makes no folder.
  await expect(readdir(join(folder, 'kept'))).rejects.toThrow('ENOENT');
  expect(await speech(args)).toMatchObject({ code: 0 });
  args[3] = 'again.mp3';
  expect(await plan(args)).toMatchObject({ requests: 0, characters: 0, kept_parts: 2, estimated_seconds: 0 });
  expect(await plan([...args, '--model', 's1'])).toMatchObject({ requests: 2, kept_parts: 0 });
  const [first = ''] = await readdir(join(folder, 'kept'));
  await rm(join(folder, 'kept', first));
  expect(await speech([...args, '--dry-run'])).toMatchObject({
    stdout: expect.stringMatching(
      / in 1 request\(s\) .*again\.mp3, 1 part kept from an earlier run, about \d:\d+\n/,
    ),
  });
  // A single call reads no journal, even if a folder exists where longer texts keep their parts.
  expect(await speech(['speak', text, '-o', 'other.mp3', '--journal', 'once.mp3.parts'])).toMatchObject({
    code: 0,
  });
  expect(await plan(['speak', text, '-o', 'once.mp3'])).toMatchObject({ requests: 1, kept_parts: 0 });

  const hear = ['transcribe', 'kept.mp3', '--journal', 'heard'];
  expect(await plan(hear)).toMatchObject({ requests: 1, keptParts: 0 });
  expect(await speech([...hear, '-o', 'kept.txt'])).toMatchObject({ code: 0 });
  expect(await plan(hear)).toMatchObject({ requests: 0, keptParts: 1, bytesSent: 0, secondsSent: 0 });
});
