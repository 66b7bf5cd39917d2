import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from './testing/local-server.ts';
import { openScreen, openTerminal, type Screen } from './testing/screen.ts';
import { speechPath, text, useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const { folder, environment, filesLike, speech } = useSpeech(service);
const takenAway = '\r\u001b[2K';
const ctrlC = '\u0003';
const ctrlD = '\u0004';
/** Milliseconds, even on a busy machine, and far from every deadline. */
const atOnce = 5000;

/** Runs `speech` in a terminal, with the sandbox in its environment. */
const open = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Screen =>
  openScreen(args, folder, environment(more));

/** A service that starts an answer with audio, or with nothing, and never ends. */
function endless(begins: boolean): Promise<string> {
  return serve((_request, response) => {
    if (!begins) return;
    response.writeHead(200, { 'content-type': 'audio/wav' });
    response.write(Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(8000)]));
  });
}

const leftovers = (): Promise<string[]> => filesLike(/partial|endless/);

test('on a terminal there is progress, which is gone at the end', async () => {
  const screen = open(['speak', text, '-o', 'shown.wav']);
  expect(await screen.ended).toBe(0);
  expect(screen.seen).toMatch(/waiting for the first audio/);
  expect(screen.seen).toMatch(/speaking: [\d.]+ (k?B|bytes)/);
  // The progress line is removed before the last message.
  expect(screen.seen.slice(screen.seen.lastIndexOf(takenAway) + takenAway.length)).toMatch(
    /^wrote shown\.wav, [\d.]+ kB\r\n$/,
  );
  const terminal = open(['transcribe', 'shown.wav']);
  expect(await terminal.ended).toBe(0);
  expect(terminal.seen).toMatch(/part 1 of 1/);
  expect(terminal.seen).toContain(text);
});

test('a terminal without a size shows the whole progress', async () => {
  const command = ['-c', 'stty cols 0; exec "$@"', 'sh', process.execPath, speechPath];
  const screen = openTerminal('sh', [...command, 'speak', text, '-o', 'sizeless.wav'], folder, environment());
  expect(await screen.ended).toBe(0);
  expect(screen.seen).toContain('waiting for the first audio');
});

test('characters of a service that steer a terminal are not written to it, and are whole in JSON', async () => {
  const message = 'No \u202egnihtemos\u202c \u009b31m credit';
  const url = await serve((_request, response) => {
    response
      .writeHead(402, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status: 402, message }));
  });
  for (const json of [[], ['--json']]) {
    const { code, stderr } = await speech(['wallet', ...json], { environment: { SPEECH_BASE_URL: url } });
    expect([code, stderr]).toEqual([3, expect.not.stringMatching(/[\u202a-\u202e\u0080-\u009f]/)]);
    if (json.length > 0) expect(JSON.parse(stderr).error.message).toContain(message);
  }
});

test.each([
  ['before the answer', false, /waiting for the first audio/],
  ['in the middle of the audio', true, /speaking: 8\.0 kB/],
] as const)('Ctrl-C %s ends with 130 and leaves no file', async (_when, begins, shown) => {
  const url = await endless(begins);
  const screen = open(['speak', text, '-o', 'endless.wav'], { SPEECH_BASE_URL: url });
  await screen.shows(shown);
  screen.type(ctrlC);
  const stopTime = performance.now();
  expect(await screen.ended).toBe(130);
  expect(performance.now() - stopTime).toBeLessThan(atOnce);
  expect(screen.seen).toContain('stopped; no unfinished file was left');
  expect(await leftovers()).toEqual([]);
});

test('Ctrl-C in a long text says where its finished parts are, and leaves no folder where there are none', async () => {
  const days = Array.from({ length: 110 }, (_, day) => `Day ${day}. ${text}`);
  await writeFile(join(folder, 'long.md'), days.join('\n\n'));
  expect(await open(['speak', text, '-o', 'short.mp3']).ended).toBe(0);
  const short = await readFile(join(folder, 'short.mp3'));
  // Only the first part is answered.
  let calls = 0;
  const url = await serve((_request, response) => {
    calls += 1;
    if (calls === 1) response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(short);
  });
  const args = ['speak', 'long.md', '-o', 'endless.mp3', '--jobs', '1'];
  const begun = open(args, { SPEECH_BASE_URL: url });
  await begun.shows(/speaking: part 1 of 3, \d+:\d\d, [\d.]+ kB/);
  begun.type(ctrlC);
  expect(await begun.ended).toBe(130);
  expect(begun.seen).toMatch(/finished parts are kept in endless\.mp3\.parts; the same command continues/);
  expect(await leftovers()).toEqual(['endless.mp3.parts']);
  await rm(join(folder, 'endless.mp3.parts'), { recursive: true });
  const fresh = open(args, { SPEECH_BASE_URL: url });
  await fresh.shows(/speaking: part 0 of 3/);
  fresh.type(ctrlC);
  expect(await fresh.ended).toBe(130);
  expect(fresh.seen).not.toContain('finished parts');
  expect(await leftovers()).toEqual([]);
});

test('Ctrl-C while a recording is transcribed says how to go on', async () => {
  const url = await endless(false);
  expect(await open(['speak', text, '-o', 'stop.wav']).ended).toBe(0);
  const stopped = async (): Promise<string> => {
    const screen = open(['transcribe', 'stop.wav', '--journal', 'parts'], { SPEECH_BASE_URL: url });
    await screen.shows(/part 0 of 1/);
    screen.type(ctrlC);
    const stopTime = performance.now();
    expect(await screen.ended).toBe(130);
    expect(performance.now() - stopTime).toBeLessThan(atOnce);
    return screen.seen;
  };
  expect(await stopped()).not.toContain('finished parts');
  expect(await readdir(join(folder, 'parts'))).toEqual([]);
  // A part of an earlier run.
  await writeFile(join(folder, 'parts', `${'a'.repeat(64)}.part`), '');
  expect(await stopped()).toMatch(/finished parts are kept in parts; the same command continues/);
});

test('a key is asked for and not shown; Ctrl-C at the question ends with 130, and Ctrl-D is an empty answer', async () => {
  const terminal = open(['config', 'key'], { SPEECH_API_KEY: '' });
  await terminal.shows(/API key/);
  terminal.type('very-secret\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.seen).not.toContain('very-secret');
  expect(await readFile(join(folder, 'config', 'default.key'), 'utf8')).toBe('very-secret\n');
  const stopped = open(['config', 'key'], { SPEECH_API_KEY: '' });
  await stopped.shows(/API key/);
  stopped.type(ctrlC);
  expect(await stopped.ended).toBe(130);
  const closed = open(['config', 'key'], { SPEECH_API_KEY: '' });
  await closed.shows(/API key/);
  closed.type(ctrlD);
  expect(await closed.ended).toBe(2);
  expect(closed.seen).toContain('That is not a key: it is empty');
});

test('a voice is deleted after a yes, and left alone after anything else', async () => {
  for (const [answer, message] of [
    ['n\r', /nothing was deleted/],
    ['\r', /nothing was deleted/],
    [ctrlD, /\nnothing was deleted/],
    ['y\r', /404/],
  ] as const) {
    const screen = open(['voices', 'delete', 'nobody']);
    await screen.shows(/Delete nobody for good\? \[y\/N\]/);
    screen.type(answer);
    expect(await screen.ended).toBe(answer === 'y\r' ? 1 : 0);
    expect(screen.seen).toMatch(message);
  }
});

test('audio does not fill a terminal, and stdin that is a terminal is not waited for', async () => {
  const audio = open(['speak', text, '-o', '-']);
  expect(await audio.ended).toBe(2);
  expect(audio.seen).toContain('Audio would fill this terminal');
  const nothing = open(['speak']);
  expect(await nothing.ended).toBe(2);
  expect(nothing.seen).toContain('speech speak "Good morning."');
});
