import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { createMockFetch } from './mock-fetch.ts';
import { key, speak, speechHeaders, start } from './testing/mocks.ts';

const file = join(mkdtempSync(join(tmpdir(), 'speech-har-')), 'calls.har');
const clip = Uint8Array.of(255, 251, 0, 128);
const inBase64 = (bytes: Uint8Array) => ({ text: Buffer.from(bytes).toString('base64'), encoding: 'base64' });

function entryOf(method: string, path: string, posted: object, content: object, status = 200) {
  const type = 'encoding' in content || '_file' in content ? 'audio/mpeg' : 'application/json';
  const request = {
    method,
    url: `https://api.example.com${path}`,
    headers: [{ name: 'Model', value: 's2-pro' }],
  };
  const headers = [
    { name: 'Content-Type', value: type },
    { name: 'Content-Encoding', value: 'gzip' },
    { name: 'X-Trace-Id', value: 'recorded' },
  ];
  return {
    request: { ...request, ...posted },
    response: { status, headers, content: { size: 4, ...content } },
  };
}

function write(...entries: readonly object[]): void {
  writeFileSync(file, JSON.stringify({ log: { entries } }));
}

const sent = { text: 'Hello.', references: [{ audio: clip, text: 'a' }] };
const packed = { postData: { mimeType: 'application/msgpack', ...inBase64(encode(sent)) } };
const inJson = { postData: { mimeType: 'application/json', text: '{"text":"Hello."}' } };

test('answers byte for byte what was recorded for the same path, query and fields, on a port and without', async () => {
  write(entryOf('POST', '/v1/tts', packed, inBase64(clip)));
  const references = [{ audio: Buffer.from(clip).toString('base64'), text: 'a' }];
  const mock = createMockFetch({ har: file });
  const body = JSON.stringify({ references, text: 'Hello.' });
  for (const response of [
    await mock.fetch(`${mock.url}/v1/tts`, { method: 'POST', headers: speechHeaders, body }),
    await speak(await start({ har: file }), { references, text: 'Hello.' }),
  ]) {
    expect([response.status, response.headers.get('x-trace-id')]).toEqual([200, 'recorded']);
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(await response.bytes()).toEqual(clip);
  }
});

test('answers the same call in the order of the recording, and names the nearest of one that is not in it', async () => {
  write(
    entryOf('GET', '/model/a', {}, { text: 'first' }),
    entryOf('GET', '/model/a', {}, { text: 'last' }, 503),
    entryOf('POST', '/v1/tts', inJson, { text: 'audio' }),
    entryOf('POST', '/v1/tts', { postData: { text: 'not valid' } }, { text: 'refused' }, 422),
  );
  const mock = createMockFetch({ har: file });
  const bodies = [];
  for (let round = 0; round < 4; round += 1) {
    if (round === 3) mock.clear();
    bodies.push(await (await mock.fetch(`${mock.url}/model/a`, { headers: key })).text());
  }
  expect(bodies).toEqual(['first', 'last', 'last', 'first']);
  const body = JSON.stringify({ text: 'Good morning.', format: 'opus' });
  const unrecorded = await mock.fetch(`${mock.url}/v1/tts`, { method: 'POST', headers: speechHeaders, body });
  expect([unrecorded.status, await unrecorded.text()]).toEqual([
    404,
    expect.stringContaining('differs in text, format.'),
  ]);
  const never = await mock.fetch(`${mock.url}/model`, { headers: key });
  expect(await never.text()).toContain('It has getModel, createSpeech.');
});

test('plays a body that is kept in a file beside the recording', async () => {
  writeFileSync(join(dirname(file), 'clip.mp3'), clip);
  write(entryOf('POST', '/v1/tts', inJson, { _file: 'clip.mp3' }));
  const mock = createMockFetch({ har: file });
  const body = JSON.stringify({ text: 'Hello.' });
  const response = await mock.fetch(`${mock.url}/v1/tts`, { method: 'POST', headers: speechHeaders, body });
  expect(await response.bytes()).toEqual(clip);
});

test('names the file that is no recording, or lacks a body', () => {
  const lost = entryOf('GET', '/model', {}, { _file: 'lost.json' });
  for (const entries of [[], [entryOf('GET', '/model', {}, {})], [lost]]) {
    write(...entries);
    expect(() => createMockFetch({ har: file })).toThrow(`The recording ${file} cannot be read`);
  }
});
