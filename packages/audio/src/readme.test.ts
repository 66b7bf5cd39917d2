import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as audio from './index.ts';
import { createPlayerOn } from './play/create-player.ts';
import type { PlayerOptions } from './play/types.ts';
import { inPieces, mp3Tone, opusTone, wavTone } from './testing/audio.ts';
import { createFakeBrowser, settle } from './testing/fake-browser.ts';

async function samples(): Promise<string[]> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, sample = '']) =>
    sample.replace(/^import (\{.*\}) from '.*';$/m, 'const $1 = library;'),
  );
}

async function run(code: string, scope: Record<string, unknown>): Promise<Record<string, unknown>> {
  return new Function(
    ...Object.keys(scope),
    `return (async () => {${code}\nreturn { file: typeof file === 'undefined' ? undefined : file };})()`,
  )(...Object.values(scope));
}

test('runs the first sample of the README', async () => {
  const [code = ''] = await samples();
  const printed: unknown[] = [];
  const { file } = await run(code, {
    library: audio,
    body: inPieces(await mp3Tone(1, 32000), 1000),
    streamedWav: wavTone(0.5, 8000),
    console: { log: (...values: unknown[]) => printed.push(...values) },
  });
  expect(printed).toEqual([expect.closeTo(1.08, 1), 32000]);
  expect(audio.readWavHeader(file as Uint8Array)?.declaredDataBytes).toBe(8000);
});

test('runs the second sample of the README', async () => {
  const [, code = ''] = await samples();
  const browser = createFakeBrowser({ samplesOf: audio.opusPacketSamples });
  const button: { onclick?: () => Promise<void> } = {};
  await run(code, {
    library: { createPlayer: (options: PlayerOptions) => createPlayerOn(browser.platform, options) },
    button,
    audio: inPieces(await opusTone(0.5), 500),
  });
  let isDone = false;
  const clicked = button.onclick?.().then(() => {
    isDone = true;
  });
  for (let turn = 0; turn < 200 && !isDone; turn++) {
    await settle();
    await browser.contexts[0]?.advance(0.05);
  }
  await clicked;
  expect(isDone).toBe(true);
});
