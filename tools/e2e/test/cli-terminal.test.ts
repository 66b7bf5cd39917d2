import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bodyOf, passOn, serve } from './testing/local-server.ts';
import { openScreen, type Screen } from './testing/screen.ts';
import { text, useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const service = useOwnSandbox();
const { folder, environment, filesLike } = useSpeech(service);
const _takenAway = '\r\u001b[2K';
const ctrlC = '\u0003';
const ctrlD = '\u0004';

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

test.each([
  ['before the answer', false, /waiting for the first audio/],
  ['in the middle of the audio', true, /speaking: 8\.0 kB/],
] as const)('Ctrl-C %s ends with 130 and leaves no file', async (_when, begins, shown) => {
  const url = await endless(begins);
  const screen = open(['speak', text, '-o', 'endless.wav'], { SPEECH_BASE_URL: url });
  await screen.shows(shown);
  screen.type(ctrlC);
  expect(await screen.ended).toBe(130);
  expect(screen.seen).toContain('stopped; no unfinished file was left');
  expect(await leftovers()).toEqual([]);
});

test('Ctrl-C in a long text says where its finished parts are, and leaves no folder where there are none', async () => {
  const days = Array.from({ length: 110 }, (_, day) => `Day ${day}. ${text}`);
  await writeFile(join(folder, 'long.md'), days.join('\n\n'));
  // Only the first part is answered.
  let calls = 0;
  const url = await serve(async (request, response) => {
    calls += 1;
    if (calls === 1) await passOn(service.url, request, await bodyOf(request), response);
  });
  const args = ['speak', 'long.md', '-o', 'endless.mp3', '--jobs', '1'];
  const begun = open(args, { SPEECH_BASE_URL: url });
  await begun.shows(/speaking: part 1 of 3, \d+:\d\d, [\d.]+ MB/);
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
