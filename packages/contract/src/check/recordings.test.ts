import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { CannotJudge } from '../errors.ts';
import { readRecording } from './recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'speech-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

const addresses = ['https://api.example.com/v1/tts', 'wss://api.example.com/v1/tts/live', '/model', ''];
const content = fc.record(
  {
    mimeType: fc.oneof(fc.constantFrom('application/json', 'audio/wav', 'text/event-stream'), fc.jsonValue()),
    text: fc.oneof(fc.string(), fc.jsonValue()),
    encoding: fc.oneof(fc.constant('base64'), fc.jsonValue()),
    size: fc.jsonValue(),
    _file: fc.oneof(fc.constant('missing.bin'), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const headers = fc.oneof(fc.array(fc.record({ name: fc.string(), value: fc.string() })), fc.jsonValue());
const entry = fc.record(
  {
    request: fc.record({
      method: fc.constantFrom('GET', 'POST', 'gibberish'),
      url: fc.oneof(fc.constantFrom(...addresses), fc.string()),
      headers,
      postData: fc.oneof(content, fc.jsonValue()),
    }),
    response: fc.record({
      status: fc.oneof(fc.constantFrom(0, 101, 200, 422), fc.integer()),
      headers,
      content,
    }),
    _webSocketMessages: fc.jsonValue(),
    startedDateTime: fc.jsonValue(),
    time: fc.jsonValue(),
  },
  { requiredKeys: ['response'] },
);
const har = fc.record({ log: fc.record({ entries: fc.array(fc.oneof(entry, fc.jsonValue())) }) });

test('whatever a file holds is a recording, or a sentence that says why it cannot be judged', async () => {
  const file = join(folder, 'any.har');
  await fc.assert(
    fc.asyncProperty(fc.oneof(har, fc.jsonValue()), fc.nat({ max: 20 }), async (value, missing) => {
      const text = JSON.stringify(value);
      // Of a recorder that was killed, the last bytes are missing.
      writeFileSync(file, missing > 10 ? text.slice(0, -missing) : text);
      const outcome = await readRecording(file).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CannotJudge);
    }),
  );
});
