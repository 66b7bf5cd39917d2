import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { followSample } from './follow-samples.ts';

const read = (id: string, name: string) =>
  readFileSync(new URL(`../../../../spec/samples/${id}/${name}`, import.meta.url), 'utf8');
const json = (body: object) => JSON.stringify(body, null, 2);

test('a sample of each language has the body, the address and the key that were typed', () => {
  const first = {
    path: '/v1/tts',
    json: json({ text: 'Fresh bread and two cups of tea.', format: 'mp3' }),
    parts: [],
  };
  const now = { ...first, json: json({ text: 'Warm soup.', format: 'wav', prosody: { speed: 1.5 } }) };
  const connection = { baseUrl: 'https://speech.example', apiKey: 'key-1' };
  for (const file of ['curl.sh', 'python.py', 'typescript.ts']) {
    const code = followSample(read('createSpeech', file), first, now, connection);
    for (const part of ['Warm soup.', 'wav', '1.5', 'https://speech.example', 'key-1'])
      expect(code).toContain(part);
    expect(code).not.toMatch(/Fresh bread|SPEECH_(API_KEY|BASE_URL)/);
  }
});

test('a sample of each language has the id that was typed, and stays as it is otherwise', () => {
  const first = { path: '/model/sandbox-alba', parts: [] };
  for (const file of ['curl.sh', 'python.py', 'typescript.ts']) {
    const code = read('getModel', file);
    expect(followSample(code, first, first, {})).toBe(code);
    const other = followSample(code, first, { ...first, path: '/model/other' }, {});
    expect(other).toBe(code.replaceAll('sandbox-alba', 'other'));
  }
});
