import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as streaming from './index.ts';
import { bodyOf, recordedStream } from './testing/streams.ts';

test('runs the sample of the README', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const sample = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const code = sample.replace(/^import (\{.*\}) from '@speech-api\/streaming';$/m, 'const $1 = streaming;');
  const printed: unknown[] = [];
  const scope = {
    streaming,
    fetch: async () => new Response(bodyOf([recordedStream()])),
    process: { env: {} },
    console: { log: (...values: unknown[]) => printed.push(...values) },
  };
  await new Function(...Object.keys(scope), `return (async () => {${code}})()`)(...Object.values(scope));
  expect(printed[0]).toBe(15);
  expect(printed[1]).toBe('Grüße');
  expect(printed[2]).toMatch(/^WEBVTT\n\n00:00:00\.050 --> /);
});
