import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as audio from './index.ts';
import { inPieces, mp3Tone, opusTone, wavTone } from './testing/audio.ts';
import { type FakePlayer, openFakePlayer } from './testing/fake-browser.ts';

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
  const button: { onclick?: () => Promise<void> } = {};
  let fake: FakePlayer | undefined;
  await run(code, {
    library: {
      openPlayer: (format: 'opus') => {
        fake = openFakePlayer(format, { samplesOf: audio.opusPacketSamples });
        return fake.player;
      },
    },
    button,
    audio: (async function* (pieces) {
      yield* pieces;
    })(inPieces(await opusTone(0.5), 500)),
  });
  const clicked = button.onclick?.();
  await fake?.advance(1);
  await clicked;
  expect(fake?.context.state).toBe('closed');
});
