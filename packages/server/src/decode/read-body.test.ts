import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { type BodySource, readBody } from './read-body.ts';

function source(headers: BodySource['headers'] = {}): BodySource & PassThrough {
  return Object.assign(new PassThrough(), { headers });
}

it('gives the whole body', async () => {
  const body = source();
  const read = readBody(body, 10);
  body.write('abc');
  body.end('defghij');
  expect(Buffer.from(await read).toString()).toBe('abcdefghij');
});

it('refuses a declared length before any byte came', async () => {
  await expect(readBody(source({ 'content-length': '11' }), 10)).rejects.toMatchObject({
    refusal: 'body-too-large',
    message: 'The body is larger than 10 bytes.',
  });
});

it('refuses while the body arrives, and leaves the connection usable', async () => {
  const body = source();
  const read = readBody(body, 10);
  body.write('x'.repeat(11));
  await expect(read).rejects.toMatchObject({ refusal: 'body-too-large' });
  expect(body.destroyed).toBe(false);
});

it('reports a sender that goes away', async () => {
  const body = source();
  const read = readBody(body, 10);
  body.write('abc');
  setImmediate(() => body.destroy());
  await expect(read).rejects.toThrow('closed after 3 bytes');
});
