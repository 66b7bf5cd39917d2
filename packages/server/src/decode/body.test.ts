import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { chooseMediaType, readBody } from './body.ts';

// Bodies that are too large, before and while they arrive, are sent to both servers by the end-to-end tests.

const accepted = ['application/json', 'application/msgpack'] as const;

test.each([
  ['Application/JSON; charset=UTF-8', 'application/json'],
  ['application/msgpack;x=y', 'application/msgpack'],
])('takes %s', (header, expected) => {
  expect(chooseMediaType(header, accepted)).toBe(expected);
  expect(chooseMediaType(header, accepted, 'identity')).toBe(expected);
});

test.each([undefined, '', 'json', 'application/xml', 'multipart/form-data; boundary=x'])(
  'refuses %s and lists what is accepted',
  (header) => {
    expect(() => chooseMediaType(header, accepted)).toThrow('application/json or application/msgpack');
  },
);

test('refuses another charset', () => {
  expect(() => chooseMediaType('application/json; charset=latin1', accepted)).toThrow('latin1');
});

test.each([10, 100_000])('gives the whole body of %i bytes, and refuses one byte more', async (limit) => {
  for (const added of [0, 1]) {
    const body = Object.assign(new PassThrough(), { headers: {} });
    const read = readBody(body, limit);
    body.write('ab');
    body.end(Buffer.alloc(limit - 2 + added, 'c'));
    if (added === 0) expect(Buffer.from(await read).toString()).toBe(`ab${'c'.repeat(limit - 2)}`);
    else await expect(read).rejects.toThrow(`larger than ${limit} bytes`);
    // The refusal is sent over the same connection.
    expect(body.destroyed).toBe(added === 0);
  }
});

test('reports a sender that goes away', async () => {
  const body = Object.assign(new PassThrough(), { headers: {} });
  const read = readBody(body, 10);
  body.write('abc');
  setImmediate(() => body.destroy());
  await expect(read).rejects.toThrow('closed after 3 bytes');
});
