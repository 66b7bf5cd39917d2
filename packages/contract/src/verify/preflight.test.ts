import { expect, test } from 'vitest';
import { CannotJudge } from '../errors.ts';
import type { Made } from './make-step.ts';
import { checkFirstCall } from './preflight.ts';

const target = { base: 'http://127.0.0.1:4010', live: 'ws://127.0.0.1:4010', key: 'some-key' };

function made(status: number, body: string, failure?: Error): Made {
  return {
    exchange: {
      kind: 'http',
      name: 'the first call',
      request: { method: 'GET', url: 'http://127.0.0.1:4010/model?page_size=10', headers: {} },
      response: {
        status,
        headers: { 'content-type': 'text/html' },
        body: new TextEncoder().encode(body),
        ended: 'complete',
      },
    },
    ...(failure !== undefined && { failure }),
  };
}

test.each([
  ['a list', 200, '{"total":0,"items":[],"has_more":false}'],
  ['a list with a field gone', 200, '{"total":0}'],
  ['an error of the interface', 422, '[{"loc":["query"]}]'],
  ['a fault', 500, '{"status":500,"message":"no"}'],
])('%s can be judged', (_what, status, body) => {
  expect(() => checkFirstCall(made(status, body), target)).not.toThrow();
});

test.each([
  ['a key that is not known', 401, '{}', /SPEECH_API_KEY.*401/],
  ['a key that may nothing', 403, '{}', /no permission.*403/],
  ['a limited rate', 429, '{}', /limits the rate.*--calls-per-minute/],
  ['a web page', 200, '<html></html>', /is an HTML page.*--target/],
  ['another API', 404, '{"error":"nothing here"}', /does not look like a speech API/],
])('%s ends with what to do', (_what, status, body, message) => {
  expect(() => checkFirstCall(made(status, body), target)).toThrow(CannotJudge);
  expect(() => checkFirstCall(made(status, body), target)).toThrow(message);
});

test('the key is in no message', () => {
  for (const status of [401, 403, 429, 404]) {
    expect(() => checkFirstCall(made(status, ''), target)).toThrow(/^(?!.*some-key)/s);
  }
});

test('a redirect is reported with where it leads, and an answer without an end as such', () => {
  const { exchange } = made(308, '');
  if (exchange.kind !== 'http') throw new TypeError('not a call');
  const response = { ...exchange.response, headers: { location: 'https://other.example/model' } };
  expect(() => checkFirstCall({ exchange: { ...exchange, response } }, target)).toThrow(
    /redirects to https:\/\/other\.example\/model \(status 308\).*--target/,
  );
  const endless = {
    ...made(200, '{"total":0').exchange,
    response: { ...response, status: 200, headers: {}, ended: 'deadline' as const },
  };
  expect(() => checkFirstCall({ exchange: { ...exchange, ...endless } }, target)).toThrow(
    /the answer to GET \/model did not end in time, and stopped after 0 bytes/,
  );
});
