import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createReceiver, type IncomingRequest } from '@speech-api/server';
import { expect, test } from 'vitest';
import { key, speechHeaders, start } from '../testing/mocks.ts';
import { secondOpinion } from './second-opinion.ts';

test('has nothing against what is good, though Prism alone would: an empty header, an empty form', async () => {
  const mock = await start();
  const headers = { ...speechHeaders, model: '' };
  await fetch(`${mock.url}/v1/tts`, { method: 'POST', headers, body: '{"text":"a"}' });
  const empty = { method: 'PATCH', headers: key, body: new URLSearchParams() };
  await fetch(`${mock.url}/model/a`, empty);
  await fetch(`${mock.url}/model/caf%C3%A9%20%2F?`, { headers: key });
  expect(mock.calls.map(({ status, violations }) => [status, violations])).toEqual([
    [200, []],
    [200, []],
    [200, []],
  ]);
});

test('finds what the first opinion has overlooked', async () => {
  const request = { method: 'POST', url: '/v1/tts', headers: speechHeaders };
  const stream: IncomingRequest = Object.assign(Readable.from([Buffer.from('{"text":"a"}')]), request);
  const call = await createReceiver().receive(stream, {});
  expect(secondOpinion(request as unknown as IncomingMessage, call)).toEqual([]);
  const wrong = { ...call, body: { text: 'a', temperature: 7 } };
  expect(secondOpinion(request as unknown as IncomingMessage, wrong)).toContainEqual({
    path: ['body', 'temperature'],
    message: expect.stringContaining('temperature must be <= 1'),
  });
});
