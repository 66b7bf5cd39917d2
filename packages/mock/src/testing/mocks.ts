import type { SpeechStreamEvent } from '@speech-api/types';
import { onTestFinished } from 'vitest';
import { type MockOptions, type RunningMock, startMock } from '../start-mock.ts';

/** A mock for one test. An internal error of the mock fails the test. */
export async function start(options: MockOptions = {}): Promise<RunningMock> {
  const failures: unknown[] = [];
  const mock = await startMock({ onFailure: (error) => failures.push(error), ...options });
  onTestFinished(async () => {
    await mock.close();
    if (failures.length > 0) throw failures[0];
  });
  return mock;
}

export const key: Readonly<Record<string, string>> = { authorization: 'Bearer any-key' };
export const speechHeaders: Readonly<Record<string, string>> = {
  ...key,
  model: 's2-pro',
  'content-type': 'application/json',
};

export function speak(
  mock: RunningMock,
  body: object,
  headers: Readonly<Record<string, string>> = {},
  path = '/v1/tts',
): Promise<Response> {
  return fetch(mock.url + path, {
    method: 'POST',
    headers: { ...speechHeaders, ...headers },
    body: JSON.stringify(body),
  });
}

export function stream(
  mock: RunningMock,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return speak(mock, body, headers, '/v1/tts/stream/with-timestamp');
}

/** The events of an answer, read in the plainest way. */
export async function eventsOf(response: Response): Promise<SpeechStreamEvent[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as SpeechStreamEvent);
}

export function audioOf(events: readonly SpeechStreamEvent[]): Buffer {
  return Buffer.concat(events.map(({ audio_base64 }) => Buffer.from(audio_base64, 'base64')));
}
