import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { measureAudio } from '@speech-api/audio';
import { expect, test } from 'vitest';
import { openScreen } from './testing/screen.ts';
import { text, useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const { folder, environment, filesLike, speech, start } = useSpeech(service);
const ctrlD = '\u0004';

/** A player that stores its input, in one file per start. */
async function recordingPlayer(name: string): Promise<string> {
  const path = join(folder, `${name}.mjs`);
  await writeFile(
    path,
    `import { createWriteStream, readdirSync } from 'node:fs';
const count = readdirSync('.').filter((file) => file.startsWith('${name}-')).length;
process.stdin.pipe(createWriteStream('${name}-' + count));
`,
  );
  return `${process.execPath} ${path}`;
}

test('--play gives the audio to a player and writes no file', async () => {
  const player = await recordingPlayer('heard');
  const played = await speech(['speak', text, '--play', '--format', 'wav'], {
    environment: { SPEECH_PLAYER: player },
  });
  expect(played).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^played [\d.]+ kB\n$/),
  });
  expect(measureAudio(await readFile(join(folder, 'heard-0')), 'wav').seconds).toBeGreaterThan(2);
  expect(await filesLike(/^speech\./)).toEqual([]);
});

test('--play with -o does both', async () => {
  const player = await recordingPlayer('both');
  const args = ['speak', text, '--play', '-o', 'both.mp3'];
  expect(await speech(args, { environment: { SPEECH_PLAYER: player } })).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'both.mp3'))).toEqual(await readFile(join(folder, 'both-0')));
});

test('a player that fails or is closed ends the command as it should', async () => {
  const failing = join(folder, 'failing.mjs');
  await writeFile(failing, "console.error('no sound device'); process.exit(3);");
  const failed = await speech(['speak', text, '--play', '-o', 'heard.wav', '--captions', 'srt'], {
    environment: { SPEECH_PLAYER: `${process.execPath} ${failing}` },
  });
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/SPEECH_PLAYER.*failed with 3: no sound device \(heard\.wav is complete\)/),
  });
  // Billed audio is kept.
  expect(measureAudio(await readFile(join(folder, 'heard.wav')), 'wav').seconds).toBeGreaterThan(2);
  expect(await readFile(join(folder, 'heard.srt'), 'utf8')).toContain('ferry');
  const closing = join(folder, 'closing.mjs');
  await writeFile(closing, "process.stdin.once('data', () => process.exit(0));");
  const closed = await speech(['speak', text.repeat(30), '--play', '--format', 'wav'], {
    environment: { SPEECH_PLAYER: `${process.execPath} ${closing}` },
  });
  expect([closed.code, closed.stderr]).toEqual([0, '']);
  expect(await filesLike(/partial/)).toEqual([]);
  const both = await speech(['speak', text.repeat(30), '--play', '-o', 'whole.wav'], {
    environment: { SPEECH_PLAYER: `${process.execPath} ${closing}` },
  });
  expect(both).toMatchObject({ code: 0, stderr: expect.stringMatching(/^wrote whole\.wav, /) });
  expect(measureAudio(await readFile(join(folder, 'whole.wav')), 'wav').seconds).toBeGreaterThan(60);
});

test('live speaks what a pipe brings while it comes', async () => {
  const { child, ended } = start(['live', '-o', '-', '--format', 'mp3']);
  child.stdin.write('The ferry leaves at noon. The gulls ');
  // The first sentence is heard before the second one is written.
  await once(child.stdout, 'data');
  child.stdin.end('leave with it.');
  const { code, bytes } = await ended;
  expect(code).toBe(0);
  expect(measureAudio(bytes, 'mp3').seconds).toBeGreaterThan(2);
});

test('live writes a file, and says so in JSON', async () => {
  const ran = await speech(['live', '-o', 'piped.wav', '--json'], { input: text });
  expect(ran.code).toBe(0);
  const { seconds, bytes } = {
    ...measureAudio(await readFile(join(folder, 'piped.wav')), 'wav'),
    ...JSON.parse(ran.stdout),
  };
  expect(seconds).toBeGreaterThan(2);
  expect(JSON.parse(ran.stdout)).toEqual({
    output: 'piped.wav',
    bytes,
    format: 'wav',
    first_audio_milliseconds: expect.any(Number),
  });
  const nothing = await speech(['live', '-o', 'nothing.wav'], { input: ' \n' });
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('no text') });
  expect(await filesLike(/nothing|partial/)).toEqual([]);
});

test('each line that is typed is heard, until Ctrl-D', async () => {
  const player = await recordingPlayer('typed');
  const screen = openScreen(['live'], folder, environment({ SPEECH_PLAYER: player }));
  await screen.shows(/Ctrl-D ends[\s\S]*> /);
  screen.type('Good morning.\r');
  await screen.shows(/Good morning\.[\s\S]*> /);
  screen.type('The ferry leaves at noon.\r');
  await screen.shows(/at noon\.[\s\S]*> /);
  screen.type(ctrlD);
  expect(await screen.ended).toBe(0);
  const lengths = await Promise.all(
    ['typed-0', 'typed-1'].map(
      async (name) => measureAudio(await readFile(join(folder, name)), 'wav').seconds,
    ),
  );
  expect(lengths[1]).toBeGreaterThan(lengths[0] ?? Number.POSITIVE_INFINITY);
});

test.each([
  ['a text', [text.repeat(5)], 'large.wav', /What came before that is in (\S+)\./],
  ['a long text', ['large.md'], 'large.wav.parts', /could not be kept anywhere else/],
])('a disk that is full leaves no file of %s, and the error says so', async (_name, args, named, where) => {
  await writeFile(join(folder, 'large.md'), text.repeat(100));
  // A limit of 16 blocks per file acts like a full disk.
  const script = `trap '' XFSZ; ulimit -f 16; exec "$@"`;
  const { code, stderr } = await speech(['speak', ...args, '-o', 'large.wav'], { script });
  expect(code).toBe(1);
  expect(stderr).toContain(`speech: ${named} could not be written: EFBIG`);
  const [, place] = where.exec(stderr) ?? [];
  if (place !== undefined) {
    expect((await stat(place)).size).toBeGreaterThan(4000);
    await rm(dirname(place), { recursive: true });
  }
  expect(await filesLike(/large\.wav|partial/)).toEqual([]);
});
