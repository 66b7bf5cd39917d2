import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as streaming from './index.ts';
import { bodyOf, recordedStream } from './testing/streams.ts';

test('runs the sample of the README', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const sample = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const code = sample.replace(/^import (\{.*\}) from '@speech-api\/streaming';$/m, 'const $1 = streaming;');
  const played: number[] = [];
  const printed: string[] = [];
  const scope = {
    streaming,
    response: { body: bodyOf([recordedStream()]) },
    player: { write: async (bytes: Uint8Array) => played.push(...bytes) },
    console: { log: (line: string) => printed.push(line) },
  };
  await new Function(...Object.keys(scope), `return (async () => {${code}})()`)(...Object.values(scope));
  expect(played.length).toBe(15);
  expect(printed[0]).toBe('你');
  expect(printed[1]).toMatch(/^WEBVTT\n\n00:00:00\.050 --> /);
});
