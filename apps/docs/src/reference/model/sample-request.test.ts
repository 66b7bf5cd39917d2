import { expect, test } from 'vitest';
import { readSampleRequest } from './sample-request.ts';

function request(code: string) {
  return readSampleRequest([{ label: 'curl', language: 'sh', file: 'curl.sh', code }]);
}

test('reads a JSON body, the headers without the key, and the method that curl implies', () => {
  const code = `curl --silent "$SPEECH_BASE_URL/v1/tts" \\
    --header "Authorization: Bearer $SPEECH_API_KEY" --header "model: s2-pro" \\
    --data '{ "text": "Tea: two cups." }' --output speech.mp3`;
  expect(request(code)).toEqual({
    method: 'POST',
    path: '/v1/tts',
    headers: [['model', 's2-pro']],
    body: { json: '{\n  "text": "Tea: two cups."\n}' },
  });
});

test('puts what --get sends into the query', () => {
  const code = 'curl --get "$SPEECH_BASE_URL/model" --data page_size=5 --data language=en --data language=zh';
  expect(request(code)).toMatchObject({
    method: 'GET',
    path: '/model?page_size=5&language=en&language=zh',
    body: undefined,
  });
});

test('tells files from values in a form', () => {
  const code = 'curl "$SPEECH_BASE_URL/v1/asr" --form audio=@recording.mp3 --form language=en';
  expect(request(code)).toMatchObject({
    method: 'POST',
    body: {
      parts: [
        { name: 'audio', value: 'recording.mp3', isFile: true },
        { name: 'language', value: 'en', isFile: false },
      ],
    },
  });
});

test('has no request without a curl sample, and names an option that it cannot read', () => {
  expect(readSampleRequest([])).toBeUndefined();
  expect(() => request('curl "$SPEECH_BASE_URL/model" --upload-file x')).toThrow('--upload-file');
});
