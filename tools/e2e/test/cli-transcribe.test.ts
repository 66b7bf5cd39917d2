import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { bodyOf, serve } from './testing/local-server.ts';
import { text, useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const { folder, speech } = useSpeech(useOwnSandbox());
let wav: Buffer;

beforeAll(async () => {
  expect(await speech(['speak', text, '-o', 'good.wav'])).toMatchObject({ code: 0 });
  wav = await readFile(join(folder, 'good.wav'));
  await writeFile(join(folder, 'notes.mp3'), 'Dear diary, today I recorded nothing.');
});

test('one bad recording of several does not stop the others, and is named', async () => {
  const ran = await speech(['transcribe', 'notes.mp3', 'good.wav', '--output-dir', 'several']);
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/notes\.mp3: the service answered 4.*\n.*1 of 2/s),
  });
  expect(await readFile(join(folder, 'several', 'good.txt'), 'utf8')).toBe(`${text}\n`);
});

test('--json prints one document, with an output file and of several recordings too', async () => {
  for (const name of ['json-a.wav', 'json-b.wav']) await writeFile(join(folder, name), wav);
  await writeFile(join(folder, 'json-c.mp3'), 'no audio');
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await speech(['transcribe', ...args, '--json'])).stdout);
  const duration = expect.any(Number);
  expect(await json('json-a.wav', '-o', 'json-a.txt', '--captions', 'vtt')).toEqual({
    input: 'json-a.wav',
    output: 'json-a.txt',
    duration,
    captions: 'json-a.vtt',
  });
  const several = ['json-a.wav', 'json-b.wav', 'json-c.mp3', '--output-dir', 'json'];
  expect(await json(...several)).toEqual([
    { input: 'json-a.wav', output: join('json', 'json-a.txt'), duration },
    { input: 'json-b.wav', output: join('json', 'json-b.txt'), duration },
    { input: 'json-c.mp3', error: expect.any(String) },
  ]);
  expect(await json('json-a.wav', 'json-b.wav', '--output-dir', 'json', '--skip-done')).toEqual([
    { input: 'json-a.wav', done: true },
    { input: 'json-b.wav', done: true },
  ]);
  expect(await json('json-a.wav', 'json-b.wav', '--output-dir', 'plans', '--dry-run')).toMatchObject([
    { input: 'json-a.wav', requests: 1 },
    { input: 'json-b.wav', requests: 1 },
  ]);
});

test('what is there and no file is read as stdin is: text from a named pipe, a recording from <(...)', async () => {
  const spoken = await speech(['speak', 'pipe.text', '-o', 'piped.mp3', '--json'], {
    script: 'mkfifo pipe.text; echo "Good morning, everybody." >pipe.text & exec "$@"',
  });
  expect(spoken.code).toBe(0);
  // If the name of the pipe were spoken, the audio would be half as long.
  expect(JSON.parse(spoken.stdout).bytes).toBeGreaterThan(15_000);
  // The shell creates pipes in /dev/fd, where folders cannot be made.
  const ran = await speech(['transcribe'], {
    script: `exec bash -c 'exec "$@" <(cat good.wav)' bash "$@"`,
  });
  expect(ran).toMatchObject({ code: 0, stdout: `${text}\n` });
});

test('--skip-done makes what is missing, keeps what fits, and refuses one recording alone', async () => {
  const past = new Date(Date.now() - 60_000);
  await mkdir(join(folder, 'halves'));
  for (const name of ['half', 'stale', 'whole', 'fresh']) {
    await writeFile(join(folder, 'halves', `${name}.wav`), wav);
    await utimes(join(folder, 'halves', `${name}.wav`), past, past);
  }
  await mkdir(join(folder, 'made'));
  for (const name of ['half.txt', 'whole.txt', 'whole.srt', 'stale.txt'])
    await writeFile(join(folder, 'made', name), 'mine');
  await utimes(join(folder, 'made', 'stale.txt'), 0, 0);
  const args = ['-r', 'halves', '--output-dir', 'made', '--captions', 'srt', '--skip-done'];
  const ran = await speech(['transcribe', ...args]);
  expect(ran).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/stale\.wav: .*stale\.txt already exists.*--force[\s\S]*1 of 3/),
  });
  expect(ran.stderr).toMatch(/wrote made.half\.srt\n/);
  expect((await readdir(join(folder, 'made'))).sort()).toEqual(
    ['fresh', 'half', 'whole']
      .flatMap((name) => [`${name}.srt`, `${name}.txt`])
      .concat('stale.txt')
      .sort(),
  );
  for (const name of ['half.txt', 'whole.srt', 'stale.txt'])
    expect(await readFile(join(folder, 'made', name), 'utf8')).toBe('mine');
  expect(await readFile(join(folder, 'made', 'half.srt'), 'utf8')).toMatch(/ferry/);
  expect(await speech(['transcribe', ...args, '--force'])).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'made', 'stale.txt'), 'utf8')).toBe(`${text}\n`);
});

test('the extension of -o decides what is written, and a text after --speaker is the text', async () => {
  expect(await speech(['transcribe', 'good.wav', '-o', 'talk.srt'])).toMatchObject({ code: 0, stdout: '' });
  expect(await readFile(join(folder, 'talk.srt'), 'utf8')).toMatch(/^1\n00:00:0.*ferry/s);
  expect(await speech(['transcribe', 'good.wav', '-o', 'talk.json'])).toMatchObject({ code: 0, stdout: '' });
  expect(JSON.parse(await readFile(join(folder, 'talk.json'), 'utf8'))).toMatchObject({ text });
  await writeFile(join(folder, 'play.txt'), 'Anna: Hello.\nBen: Good day.\n');
  const speakers = ['--speaker', 'Anna=sandbox-alba', '--speaker', 'Ben=sandbox-ruth'];
  const planned = await speech(['speak', ...speakers, 'play.txt', '-o', 'play.mp3', '--dry-run', '--json']);
  expect(JSON.parse(planned.stdout)).toMatchObject({ requests: 1, characters: 41 });
});

// It waits for 20 MB of silence to be cut and transcribed.
test('--speakers tells the speakers of each part apart, as text, captions and JSON', async () => {
  await writeFile(
    join(folder, 'talk.txt'),
    'Anna: Did the ferry leave at noon?\nBen: It did, with the gulls.\n',
  );
  const speakers = ['--speaker', 'Anna=sandbox-alba', '--speaker', 'Ben=sandbox-blake'];
  const spoken = await speech(['speak', ...speakers, 'talk.txt', '-o', 'talk.wav', '--captions', 'vtt']);
  expect(spoken).toMatchObject({ code: 0 });
  const named = await readFile(join(folder, 'talk.vtt'), 'utf8');
  expect(named.match(/<v .*/g)).toEqual([
    '<v Anna>Did the ferry leave at noon?',
    '<v Ben>It did, with the gulls.',
  ]);
  // The dialogue, 20 MB of silence, and the dialogue again; the header has the sizes of the first part.
  const dialogue = await readFile(join(folder, 'talk.wav'));
  const sound = dialogue.subarray(dialogue.indexOf('data') + 8);
  await writeFile(join(folder, 'meeting.wav'), Buffer.concat([dialogue, Buffer.alloc(20_000_000), sound]));
  const files = ['-o', 'meeting.txt', '--captions', 'srt', '--timestamps'];
  expect(await speech(['transcribe', 'meeting.wav', '--speakers', ...files])).toMatchObject({ code: 0 });
  const [lines, captions, json] = await Promise.all(
    ['txt', 'srt', 'json'].map((extension) => readFile(join(folder, `meeting.${extension}`), 'utf8')),
  );
  const turns = [1, 2].flatMap((part) => [
    `Part ${part}, speaker 1: Did the ferry leave at noon?\n`,
    `Part ${part}, speaker 2: It did, with the gulls.\n`,
  ]);
  expect(lines).toBe(turns.join(''));
  expect(captions?.match(/^Part.*\n/gm)).toEqual(turns);
  const {
    speaker_turns: [first, , third],
  } = JSON.parse(json ?? '');
  expect(third).toMatchObject({ part: 1, speaker: 'speaker:0' });
  expect(third.start - first.start).toBeCloseTo((sound.length + 20_000_000) / 88_200, 1);
});

test('captions without times are an error that says so once, and the text is kept', async () => {
  const url = await serve(async (request, response) => {
    await bodyOf(request);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ text: 'Good day.', duration: 3, segments: [] }));
  });
  const environment = { SPEECH_BASE_URL: url };
  const ran = await speech(['transcribe', 'good.wav', '-o', 'none.vtt'], { environment });
  expect(ran.code).toBe(1);
  expect(ran.stderr.match(/no times/g)?.length).toBe(1);
  expect(await readFile(join(folder, 'none.vtt.txt'), 'utf8')).toBe('Good day.\n');
  expect((await readdir(folder)).includes('none.vtt')).toBe(false);
});
