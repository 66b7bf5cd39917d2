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
  ['JSON that is cut', 200, '{"total":'],
  ['JSON that is compressed, and not called so', 200, '\u001f\ufffd\b'],
])('%s can be judged', (_what, status, body) => {
  const headers = { 'content-type': 'application/json' };
  expect(() => check(status, body, { headers })).not.toThrow();
});

const invalid = 'Parse Error: Invalid character in chunk size (HPE_INVALID_CHUNK_SIZE)';
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
  ['a server without voice models', 404, '', /--except listModels, or with --operations/],
  [
    'a redirect',
    308,
    '',
    /redirect to https:\/\/other\.example\/model \(status 308\).*--target/,
    { headers },
  ],
  [
    'a redirect to itself',
    308,
    '',
    /redirect to \/model\/ \(status 308\)(?!.*(--target|another address))/,
    { headers: { location: '/model/' } },
  ],
  [
    'chunks that Node refuses',
    200,
    '',
    /Invalid character in chunk size(?!.*--target)/,
    { failure: invalid },
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
