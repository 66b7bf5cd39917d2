import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../main.ts';
import { credit } from '../testing/exchanges.ts';
import { serve } from '../testing/serve.ts';

const folder = mkdtempSync(join(tmpdir(), 'speech-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

const json = { name: 'Content-Type', value: 'application/json' };
const entry = (method: string, path: string, body: object) => ({
  request: { method, url: `https://api.example.com/base${path}`, headers: [] },
  response: { status: 200, headers: [json], content: { mimeType: json.value, text: JSON.stringify(body) } },
});

async function run(words: readonly string[], file: string) {
  let written = '';
  const say = (text: string) => {
    written += text;
  };
  const environment = { SPEECH_API_KEY: 'a-key-of-tests' };
  const surroundings = { out: say, error: say, environment, colour: false, width: 200 };
  return { code: await main(['check', file, ...words], surroundings), written };
}

test('the reading calls of a recording are sent once each, and what is answered now is judged', async () => {
  const seen: string[] = [];
  const target = await serve((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url} ${incoming.headers.authorization}`);
    const type = { 'content-type': 'application/json' };
    outgoing.writeHead(200, type).end(JSON.stringify(credit({ credit: 12 })));
  });
  const file = join(folder, 'recording.har');
  const read = entry('GET', '/wallet/self/api-credit', credit());
  writeFileSync(file, JSON.stringify({ log: { entries: [read, read, entry('DELETE', '/model/v1', {})] } }));
  const { code, written } = await run(['--send', '--target', target], file);
  expect(seen).toEqual(['GET /wallet/self/api-credit Bearer a-key-of-tests']);
  expect(code).toBe(1);
  expect(written).toContain('field-type');
  expect(written).not.toContain('a-key-of-tests');
});

test('without a reading call, or without an address, nothing is sent', async () => {
  const file = join(folder, 'writes.har');
  writeFileSync(file, JSON.stringify({ log: { entries: [entry('DELETE', '/model/v1', {})] } }));
  const sent = await run(['--send', '--target', 'http://127.0.0.1:9'], file);
  expect(sent).toMatchObject({ code: 2, written: expect.stringContaining('no reading call (GET)') });
  const alone = await run(['--send'], file);
  expect(alone).toMatchObject({ code: 2, written: expect.stringContaining('go together') });
});
