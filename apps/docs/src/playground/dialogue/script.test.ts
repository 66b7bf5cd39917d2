import { createSpeechClient } from '@speech-api/client';
import { defaultModel } from '@speech-api/types';
import { expect, test } from 'vitest';
import { sampleScript, toDialogueRequest } from './script.ts';

const sound = { format: 'mp3', latency: 'normal', speed: 1 } as const;

test('a dialogue is one text with a tag before each line, empty lines left out', () => {
  const script = {
    voices: ['a', 'b'],
    lines: [
      { speaker: 0, text: ' Good morning. ' },
      { speaker: 1, text: '  ' },
      { speaker: 1, text: 'Good morning to you.' },
    ],
  };
  expect(toDialogueRequest(script, sound)).toEqual({
    text: '<|speaker:0|>Good morning.\n<|speaker:1|>Good morning to you.',
    reference_id: ['a', 'b'],
  });
});

test('what the page begins with keeps the rules of the specification, with the model it is sent with', async () => {
  let sent = '';
  const client = createSpeechClient({
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'k',
    fetch: (input) => {
      sent = typeof input === 'string' ? input : input.url;
      return Promise.reject(new TypeError('not sent'));
    },
  });
  const request = toDialogueRequest(sampleScript, sound);
  await client.speech.streamWithTimestamps(request, { model: defaultModel }).catch(() => {});
  expect(sent).toContain('/v1/tts/stream/with-timestamp');
});
