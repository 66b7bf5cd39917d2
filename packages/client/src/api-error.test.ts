import { expect, test } from 'vitest';
import { createApiError } from './api-error.ts';
import { InvalidRequestError, NotFoundError, ServerError, SpeechError } from './errors.ts';

function errorFor(status: number, body: unknown, headers: Record<string, string> = {}) {
  return createApiError('createSpeech', new Response(null, { status, headers }), body, undefined);
}

test('the body is read by its shape at any status', () => {
  const issue = { loc: ['body', 'temperature'], type: 'range', msg: 'must be at most 1', ctx: '' };
  for (const status of [400, 422]) {
    const error = errorFor(status, [issue]);
    expect(error.issues).toEqual([issue]);
    expect(error.message).toContain('body.temperature: must be at most 1');
  }
  expect(errorFor(422, { status: 422, message: 'a general body' }).issues).toEqual([]);
});

test('a page of HTML is shortened to its words', () => {
  const page = `<html><head><style>p { color: red }</style><title>502 Bad Gateway</title></head>${'<p>x</p>'.repeat(5000)}`;
  const error = errorFor(502, page);
  expect(error.message).toContain('502 Bad Gateway');
  expect(error.message).not.toMatch(/[<>]|color/);
  expect(error.message.length).toBeLessThan(400);
  expect(String(error.body).length).toBeLessThan(400);
});

test.each([[undefined], [''], [null], [42], [[]], [['text']], [{}], [{ message: 7 }]])(
  'the body %j still gives an error with its status',
  (body) => {
    const error = errorFor(500, body);
    expect(error).toBeInstanceOf(ServerError);
    expect(error.message).toMatch(/^createSpeech: 500 /);
  },
);

test('an error of another copy of the package is recognised', async () => {
  const copy = './errors.ts?copy';
  const other = (await import(/* @vite-ignore */ copy)) as { NotFoundError: typeof NotFoundError };
  const error = new other.NotFoundError('elsewhere', {
    status: 404,
    operationId: 'getModel',
    headers: new Headers(),
    body: undefined,
    issues: [],
    traceId: undefined,
    retryAfterSeconds: undefined,
  });
  expect(error).not.toBeInstanceOf(NotFoundError);
  expect(NotFoundError.isInstance(error)).toBe(true);
  expect(SpeechError.isInstance(error)).toBe(true);
  expect(InvalidRequestError.isInstance(error)).toBe(false);
  expect(NotFoundError.isInstance(new Error('plain'))).toBe(false);
  expect(NotFoundError.isInstance(undefined)).toBe(false);
});
