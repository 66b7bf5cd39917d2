import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureAudio } from '@speech-api/audio';
import { expect, test } from 'vitest';
import { bodyOf, serve } from './testing/local-server.ts';
import { speechPath, text, useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const { folder, speech } = useSpeech(service);

test('speak writes a file in the format of its name, and transcribe reads it back', async () => {
  const spoken = await speech(['speak', text, '-o', 'ferry.opus', '--captions', 'vtt', '--timestamps']);
  expect(spoken).toMatchObject({ code: 0, stdout: '' });
  expect(measureAudio(await readFile(join(folder, 'ferry.opus')), 'opus').seconds).toBeGreaterThan(2);
  expect(await readFile(join(folder, 'ferry.vtt'), 'utf8')).toMatch(/^WEBVTT\n[\s\S]*ferry/);
  expect(JSON.parse(await readFile(join(folder, 'ferry.json'), 'utf8')).segments[1].text).toBe('ferry');
  const transcript = await speech(['transcribe', 'ferry.opus', '--captions', 'srt']);
  expect(transcript).toMatchObject({ code: 0, stdout: `${text}\n` });
  expect(await readFile(join(folder, 'ferry.srt'), 'utf8')).toMatch(/^1\n00:00:00,\d+ --> /);
});

test('a pipe gets audio alone on stdout and no progress on stderr, and a recording comes from a pipe too', async () => {
  const args = ['speak', '-', '-o', '-', '--format', 'wav', '--quiet'];
  const { code, bytes, stderr } = await speech(args, { input: text });
  expect([code, stderr]).toEqual([0, '']);
  const transcript = await speech(['transcribe', '-', '--json'], { input: bytes });
  expect(JSON.parse(transcript.stdout)).toMatchObject({ text, segments: expect.any(Array) });
});

test('a text file is read, and a dialogue has a voice for each name', async () => {
  await writeFile(
    join(folder, 'play.txt'),
    'Anna: Good morning.\nBen: Good morning to you.\n\nAnna: Shall we?\n',
  );
  const speakers = ['--speaker', 'Anna=sandbox-alba', '--speaker', 'Ben=sandbox-blake'];
  const args = ['speak', 'play.txt', ...speakers, '-o', 'play.mp3'];
  expect(await speech(args)).toMatchObject({ code: 0 });
  expect(measureAudio(await readFile(join(folder, 'play.mp3')), 'mp3').seconds).toBeGreaterThan(2);
  const stranger = await speech(['speak', 'play.txt', '--speaker', 'Anna=sandbox-alba', '-o', 'other.mp3']);
  expect(stranger).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Line 2 .* The speakers are Anna/),
  });
});

test('--dry-run says what would be done and needs no service and no key', async () => {
  await speech(['speak', text, '-o', 'dry.wav']);
  const nothing = { SPEECH_BASE_URL: '', SPEECH_API_KEY: '' };
  const spoken = await speech(['speak', text, '--dry-run', '--json'], { environment: nothing });
  expect(JSON.parse(spoken.stdout)).toMatchObject({ characters: text.length, requests: 1, format: 'mp3' });
  const long = await speech(['speak', text.repeat(60), '--dry-run', '--json'], { environment: nothing });
  expect(JSON.parse(long.stdout)).toMatchObject({ characters: 60 * text.length, requests: 2 });
  const planned = await speech(['transcribe', 'dry.wav', '--dry-run', '--json'], { environment: nothing });
  expect(JSON.parse(planned.stdout)).toMatchObject({
    requests: 1,
    overlapSeconds: 0,
    seconds: expect.any(Number),
  });
});

test('a folder is searched for recordings, whose texts keep their places; links that add none are named', async () => {
  await mkdir(join(folder, 'tree', 'deep'), { recursive: true });
  for (const place of ['outside.wav', 'tree/top.wav', 'tree/deep/below.mp3'])
    await speech(['speak', text, '-o', place]);
  for (const name of ['notes.txt', '._top.wav']) await writeFile(join(folder, 'tree', name), 'no recording');
  await symlink(join(folder, 'outside.wav'), join(folder, 'tree', 'linked.mov'));
  await symlink(join(folder, 'tree', 'top.wav'), join(folder, 'tree', 'again.wav'));
  await symlink(join(folder, 'tree', 'deep'), join(folder, 'tree', 'box'));
  const ran = await speech(['transcribe', '-r', 'tree', '--output-dir', 'heard']);
  expect(ran).toMatchObject({ code: 0, stdout: '' });
  expect(ran.stderr).toMatch(/left out.*: tree.\._top\.wav, tree.again\.wav, tree.box, tree.notes\.txt\n/);
  expect(await readFile(join(folder, 'heard', 'deep', 'below.txt'), 'utf8')).toBe(`${text}\n`);
  expect((await readdir(join(folder, 'heard'))).sort()).toEqual(['deep', 'linked.txt', 'top.txt']);
});

test('--words gives each word its caption, and --jsonl each part its line', async () => {
  await speech(['speak', text, '-o', 'words.wav']);
  expect(await speech(['transcribe', 'words.wav', '--captions', 'vtt', '--words'])).toMatchObject({
    code: 0,
  });
  const cues = (await readFile(join(folder, 'words.vtt'), 'utf8')).split('\n\n').slice(1);
  expect(cues.map((cue) => cue.trim().split('\n')[1]?.replaceAll(/[,.]/g, ''))).toEqual(
    text.replaceAll(/[,.]/g, '').split(' '),
  );
  const { stdout } = await speech(['transcribe', 'words.wav', '--jsonl']);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ input: 'words.wav', index: 0, start: 0, text, segments: expect.any(Array) }]);
});

test('voices are listed, made, changed and deleted', async () => {
  const listed = await speech(['voices', 'list']);
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('sandbox-alba') });
  await speech(['speak', text, '-o', 'sample.wav']);
  await writeFile(join(folder, 'sample.txt'), text);
  const made = await speech([
    'voices',
    'create',
    'sample.wav',
    '--title',
    'Harbour',
    '--tag',
    'calm',
    '--tag',
    'sea',
  ]);
  expect(made).toMatchObject({ code: 0 });
  const id = made.stdout.trim();
  expect(await speech(['voices', 'update', id, '--title', 'Dusk'])).toMatchObject({ code: 0 });
  const shown = await speech(['voices', 'show', id, '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    title: 'Dusk',
    tags: ['calm', 'sea'],
    visibility: 'private',
  });
  const refused = await speech(['voices', 'delete', id]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(await speech(['voices', 'delete', id, '--yes'])).toMatchObject({ code: 0 });
  const gone = await speech(['voices', 'show', id]);
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('speech voices list') });
});

test('wallet shows the credit as it came', async () => {
  const { stdout } = await speech(['wallet', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    api_credit: { credit: expect.stringMatching(/^\d+(\.\d+)?$/) },
  });
  expect((await speech(['wallet'])).stdout).toMatch(/^credit {3}\d/);
});

test('every command has help with examples, and completion for each shell', async () => {
  const seen = new Set<string>();
  const visit = async (...command: string[]): Promise<void> => {
    const { code, stdout } = await speech([...command, '--help']);
    expect([command, code, stdout]).toEqual([command, 0, expect.stringMatching(/\nExamples:\n {2}\S/)]);
    seen.add(command.join(' '));
    const [, list = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
    for (const [, name = ''] of list.matchAll(/^ {2}([a-z]+)/gm))
      if (name !== 'help') await visit(...command, name);
  };
  await visit();
  expect([...seen]).toEqual(expect.arrayContaining(['live', 'voices delete', 'config set', 'complete']));
  expect((await speech(['complete', '--help'])).stdout).toMatch(/shell +bash, zsh or fish\n/);
  expect(await speech(['--quiet', 'complete', 'bash'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('speech complete SHELL'),
  });
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await speech(['complete', shell]);
    expect([shell, code, stdout]).toEqual([shell, 0, expect.stringContaining('speech')]);
  }
  expect((await speech(['complete', '--', 'transcribe', '--cap'])).stdout).toContain('--captions');
});

test('--version is answered before anything is loaded', async () => {
  const { code, stdout } = await speech(['--version']);
  const manifest = JSON.parse(await readFile(join(speechPath, '../../package.json'), 'utf8'));
  expect([code, stdout]).toEqual([0, `${manifest.version}\n`]);
  expect((await stat(speechPath)).size).toBeLessThan(1000);
});

test('a closed pipe ends quietly', async () => {
  const ran = await speech(['speak', text.repeat(40), '-o', '-', '--format', 'wav'], {
    started: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
  });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
});

test('a closed stdout ends a transcription that writes no files, and no other', async () => {
  for (const name of ['one.wav', 'two.wav'])
    expect(await speech(['speak', text, '-o', name])).toMatchObject({ code: 0 });
  let calls = 0;
  const url = await serve(async (request, response) => {
    calls += 1;
    await bodyOf(request);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ text, duration: 3, segments: [{ text, start: 0, end: 3 }] }));
  });
  const run = (...more: string[]) =>
    speech(['transcribe', 'one.wav', 'two.wav', '--jobs', '1', '--jsonl', ...more], {
      environment: { SPEECH_BASE_URL: url },
      started: (child) => child.stdout.destroy(),
    });
  expect(await run()).toMatchObject({ code: 0, stderr: '' });
  expect(calls).toBe(1);
  expect(await run('--timestamps')).toMatchObject({ code: 0 });
  expect(calls).toBe(3);
  for (const name of ['one.json', 'two.json'])
    expect(JSON.parse(await readFile(join(folder, name), 'utf8'))).toMatchObject({ text });
});
