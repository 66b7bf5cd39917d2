import { expect, test } from 'vitest';
import { CannotJudge } from '../errors.ts';
import type { RecordedResponse } from '../exchange.ts';
import { exchange } from '../testing/exchanges.ts';
import { checkFirstCall } from './preflight.ts';

const target = { base: 'http://127.0.0.1:4010', live: 'ws://127.0.0.1:4010', key: 'some-key' };

/** Checks an answer to the first call. */
function check(status: number, body: string, changes: Partial<RecordedResponse> = {}) {
  const first = exchange('listModels', { status, body, headers: { 'content-type': 'text/html' } });
  checkFirstCall({ exchange: { ...first, response: { ...first.response, ...changes } } }, target);
}

test.each([
  ['a list', 200, '{"total":0,"items":[],"has_more":false}'],
  ['a list with a field gone', 200, '{"total":0}'],
  ['an error of the interface', 422, '[{"loc":["query"]}]'],
  ['a fault', 500, '{"status":500,"message":"no"}'],
])('%s can be judged', (_what, status, body) => {
  expect(() => check(status, body)).not.toThrow();
});

const headers = { location: 'https://other.example/model' };

test.each<[string, number, string, RegExp, Partial<RecordedResponse>?, string?]>([
  ['a key that is not known', 401, '{}', /SPEECH_API_KEY.*401/, {}, 'key'],
  ['a key without credit', 402, '{}', /no credit.*402/, {}, 'no-credit'],
  ['a key that may nothing', 403, '{}', /no permission.*403/, {}, 'no-permission'],
  ['a limited rate', 429, '{}', /limits the rate.*--calls-per-minute/, {}, 'rate-limit'],
  [
    'a web page',
    200,
    '<!doctype html><title>Login</title>',
    /does not look like a speech API.*text\/html.*--target/,
  ],
  ['another API', 404, '{"error":"nothing here"}', /does not look like a speech API/],
  [
    'a redirect',
    308,
    '',
    /redirects to https:\/\/other\.example\/model \(status 308\).*--target/,
    { headers },
  ],
])(
  '%s ends with what to do, and shows no key',
  (_what, status, body, message, changes, reason = 'nothing-to-judge') => {
    expect(() => check(status, body, changes)).toThrow(CannotJudge);
    expect(() => check(status, body, changes)).toThrow(expect.objectContaining({ reason }));
    expect(() => check(status, body, changes)).toThrow(message);
    expect(() => check(status, body, changes)).toThrow(/^(?!.*some-key)/s);
  },
);
