import { describe, expect, onTestFinished, test } from 'vitest';
import { startMock } from './start-mock.ts';
import { speak } from './testing/mocks.ts';
import { toBeValidRequest, toHaveCalled, toHaveCalledTimes, useMock } from './vitest.ts';

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

  test('compares texts, voices, samples, headers and query parameters that were sent', async () => {
    const references = [{ audio: Buffer.from('a sample').toString('base64'), text: 'one' }];
    await speak(mock as never, {
      text: 'The tide comes in.',
      references,
      prosody: { speed: 1.5, volume: 1 },
    });
    await fetch(`${mock.url}/model?tag=calm&tag=warm`, { headers: { authorization: 'Bearer any-key' } });
    expect(mock).toHaveCalled('createSpeech', { text: 'The tide comes in.', model: 's2-pro' });
    expect(mock).toHaveCalled('createSpeech', { text: expect.stringContaining('tide') });
    expect(mock).toHaveCalled('createSpeech', { prosody: { speed: 1.5 } });
    expect(mock).toHaveCalled('createSpeech', {
      references: [{ audio: Buffer.from('a sample'), text: 'one' }],
    });
    expect(mock).toHaveCalled('listModels', { tag: ['calm', 'warm'] });
    expect(mock).not.toHaveCalled('createSpeech', { text: 'The tide goes out.' });
    expect(mock).not.toHaveCalled('createSpeech', { prosody: { speed: 1 } });
    expect(mock).not.toHaveCalled('createSpeech', { references: [] });
    expect(() => expect(mock).toHaveCalled('createSpeech', { text: 'Hello.' })).toThrow('The tide comes in.');
  });

  test('counts calls', async () => {
    expect(mock).toHaveCalledTimes('createSpeech', 0);
    await speak(mock as never, { text: 'a', format: 'opus' });
    await speak(mock as never, { text: 'b', format: 'opus' });
    expect(mock).toHaveCalledTimes('createSpeech', 2);
    expect(mock).toHaveCalledTimes('createSpeech', 1, { text: 'b' });
    expect(mock).not.toHaveCalledTimes('createSpeech', 1, { format: 'opus' });
    expect(() => expect(mock).toHaveCalledTimes('createSpeech', 3)).toThrow('was called 2 times, not 3');
  });
});

test('refuses to compare what the mock did not record, also behind not', async () => {
  const mock = await startMock();
  onTestFinished(() => mock.close());
  await speak(mock, { text: 'Hello.', format: 'opus' });
  for (const expected of [{ text: 'Hello.' }, { text: 'Another.' }, { prosody: { speed: 1 } }]) {
    expect(() => expect(mock).toHaveCalled('createSpeech', expected)).toThrow("record: 'bodies'");
    expect(() => expect(mock).not.toHaveCalled('createSpeech', expected)).toThrow("record: 'bodies'");
    expect(() => toHaveCalledTimes(mock, 'createSpeech', 0, expected)).toThrow("record: 'bodies'");
  }
  expect(mock).toHaveCalled('createSpeech', { format: 'opus' });
  expect(() => toHaveCalled(mock, 'createSpeech', { temprature: 1 })).toThrow(
    'createSpeech has no temprature',
  );
});
