import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import * as msgpack from './index.ts';

test('runs the sample of the README', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const sample = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
  const code = sample.replace(/^import (\{.*\}) from '@speech-api\/msgpack';$/m, 'const $1 = msgpack;');
  const wavFile = Uint8Array.of(82, 73, 70, 70);
  const sent: Blob[] = [];
  const scope = {
    msgpack,
    wavFile,
    url: 'https://speech.example/v1/tts',
    headers: {},
    fetch: async (_: string, { body }: { body: Blob }) => sent.push(body),
  };
  await new Function(...Object.keys(scope), `return (async () => {${code}})()`)(...Object.values(scope));
  expect(sent[0]?.type).toBe('application/msgpack');
  expect(msgpack.decode((await sent[0]?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual({
    text: 'Hello',
    references: [{ audio: wavFile, text: 'What the sample says.' }],
  });
});
