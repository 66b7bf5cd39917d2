import { expect, test } from 'vitest';
import { asksForSpeech, spokenBy } from './spoken-by.ts';

test('reads text, voice, model and prosody from the literals of a call', () => {
  const code = `const speech = await client.speech.create(
    { text: 'It\\'s $4.50.', reference_id: 'sandbox-blake', prosody: { speed: 1.1, volume: -3 } },
    { model: 's1' },
  );`;
  expect(asksForSpeech(code)).toBe(true);
  expect(spokenBy(code)).toEqual({
    text: "It's $4.50.",
    voices: ['sandbox-blake'],
    model: 's1',
    speed: 1.1,
    volume: -3,
  });
});

test('reads the voices of a dialogue', () => {
  const code = `{ text: '<|speaker:0|>Is it far?', reference_id: ['ann', 'sandbox-blake'] }`;
  expect(spokenBy(code)).toEqual({ text: '<|speaker:0|>Is it far?', voices: ['ann', 'sandbox-blake'] });
});

test('finds nothing where the text is computed, or where nothing is spoken', () => {
  expect(spokenBy('connection.speak(tokens())')).toBeUndefined();
  expect(asksForSpeech('connection.speak(tokens())')).toBe(true);
  expect(asksForSpeech('client.models.list()')).toBe(false);
});
