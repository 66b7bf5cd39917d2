import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type BodySource, chooseMediaType, readBody } from './body.ts';

const accepted = ['application/json', 'application/msgpack'] as const;

test.each([
  ['application/json', 'application/json'],
  ['Application/JSON; charset=UTF-8', 'application/json'],
  ['application/msgpack;x=y', 'application/msgpack'],
])('takes %s', (header, expected) => {
  expect(chooseMediaType(header, accepted)).toBe(expected);
});

test.each([undefined, '', 'json', 'text/plain', 'application/xml', 'multipart/form-data; boundary=x'])(
  'refuses %s and lists what is accepted',
  (header) => {
    expect(() => chooseMediaType(header, accepted)).toThrow('application/json or application/msgpack');
  },
);

test('refuses another charset and a content coding', () => {
  expect(() => chooseMediaType('application/json; charset=latin1', accepted)).toThrow('latin1');
  expect(() => chooseMediaType('application/json', accepted, 'gzip')).toThrow('Content-Encoding: gzip');
  expect(chooseMediaType('application/json', accepted, 'identity')).toBe('application/json');
});

function source(headers: BodySource['headers'] = {}): BodySource & PassThrough {
  return Object.assign(new PassThrough(), { headers });
}

test('gives the whole body', async () => {
  const body = source();
  const read = readBody(body, 10);
  body.write('abc');
  body.end('defghij');
  expect(Buffer.concat(await read).toString()).toBe('abcdefghij');
});

test('refuses a declared length before any byte came', async () => {
  await expect(readBody(source({ 'content-length': '11' }), 10)).rejects.toMatchObject({
    refusal: 'body-too-large',
    message: 'The body is larger than 10 bytes.',
  });
});

test('refuses while the body arrives, and leaves the connection usable', async () => {
  const body = source();
  const read = readBody(body, 10);
  body.write('x'.repeat(11));
  await expect(read).rejects.toMatchObject({ refusal: 'body-too-large' });
  expect(body.destroyed).toBe(false);
});

test('reports a sender that goes away', async () => {
  const body = source();
  const read = readBody(body, 10);
  body.write('abc');
  setImmediate(() => body.destroy());
  await expect(read).rejects.toThrow('closed after 3 bytes');
});
