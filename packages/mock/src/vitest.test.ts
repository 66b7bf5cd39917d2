import { describe, expect, test } from 'vitest';
import { speak } from './testing/mocks.ts';
import { toBeValidRequest, toHaveCalled, useMock } from './vitest.ts';

describe('the helper', () => {
  const mock = useMock();

  test('shows that an operation was called, with these settings', async () => {
    await speak(mock as never, { text: 'a', format: 'opus', temperature: 0 });
    expect(mock).toHaveCalled('createSpeech');
    expect(mock).toHaveCalled('createSpeech', { format: 'opus', temperature: 0 });
    expect(mock).not.toHaveCalled('createSpeech', { format: 'mp3' });
    expect(mock).not.toHaveCalled('listModels');
    expect(mock).toBeValidRequest();
    expect(mock.calls[0]).toBeValidRequest();
  });

  test('begins each test without calls', () => {
    expect(mock.calls).toEqual([]);
    expect(mock).not.toBeValidRequest();
  });

  test('says what was wrong, and what came in instead', async () => {
    await speak(mock as never, { text: 'a', temprature: 0 });
    expect(mock).not.toBeValidRequest();
    expect(() => expect(mock).toBeValidRequest()).toThrow(/body\.temprature.*did you mean `temperature`/);
    expect(() => expect(mock.calls[0]).toBeValidRequest()).toThrow('temprature');
    expect(() => expect(mock).toHaveCalled('listModels')).toThrow(
      /listModels was not called.*\n.*POST \/v1\/tts/,
    );
  });

  test('knows the operations, and says what it takes', () => {
    expect(() => toHaveCalled(mock, 'createSpeeches' as never)).toThrow('createSpeech');
    expect(() => toHaveCalled({}, 'createSpeech')).toThrow('takes a mock');
    expect(() => toBeValidRequest(undefined)).toThrow('takes a mock');
  });
});
