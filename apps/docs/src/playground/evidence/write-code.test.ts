import { expect, test } from 'vitest';
import { previewCall } from '../connection/connection.ts';
import { writeSpeaking } from '../sound/speaking.ts';
import { type PreviewedRequest, writeCurl } from './write-code.ts';

const connection = { baseUrl: 'http://127.0.0.1:4010', apiKey: 'sandbox-key' };
const spoken = {
  text: `It's "here"\\ \`now\`\nand $HOME ends.`,
  reference_id: 'sandbox-alba',
  prosody: { speed: 1.25 },
};

const write = (own: typeof connection) =>
  writeSpeaking({ connection: own, request: spoken, model: 's2-pro', format: 'wav' });

const request: PreviewedRequest = {
  method: 'POST',
  url: 'http://127.0.0.1:4010/v1/tts/stream/with-timestamp',
  headers: [
    ['authorization', 'Bearer $SPEECH_API_KEY'],
    ['content-type', 'application/json'],
    ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ],
  body: JSON.stringify(spoken),
};

test('never writes the key of the reader into code', () => {
  const own = { ...connection, apiKey: 'sk-very-secret' };
  expect(writeCurl(request, own.apiKey)).not.toContain('sk-very-secret');
  expect(write(own)).not.toContain('sk-very-secret');
});

test('the TypeScript holds the very text, however it is written', () => {
  const code = write(connection);
  const written = /text: ('(?:[^'\\]|\\.)*')/.exec(code)?.[1] ?? '';
  // The literal is evaluated by the language itself: that is what is asserted.
  expect(new Function(`return ${written}`)()).toBe(spoken.text);
});

test('a preview of a call has all of its request but the key', async () => {
  const own = { ...connection, apiKey: 'sk-very-secret' };
  const preview = await previewCall(own, ({ speech }) => speech.create(spoken));
  expect(JSON.stringify(preview)).not.toContain('sk-very-secret');
  expect(preview?.headers).toContainEqual(['authorization', 'Bearer $SPEECH_API_KEY']);
  expect(JSON.parse(String(preview?.body))).toEqual(spoken);
});

test('curl reads the very name of a file, also one with a quote or a backslash', () => {
  const body = new FormData();
  body.append('audio', new File(['…'], `a "take" \\ it's.wav`));
  // As its manual has it: a name in double quotes, with a backslash before a quote or a backslash.
  expect(writeCurl({ ...request, body }, 'sandbox-key')).toContain(
    String.raw`--form 'audio=@"a \"take\" \\ it'\''s.wav"'`,
  );
});
