import { PassThrough } from 'node:stream';
import { encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { Refusal } from './answer.ts';
import {
  chooseMediaType,
  decodeBody,
  decodeLimits,
  decodeMessagePack,
  decodeMultipart,
  decodeUrlEncoded,
  readBody,
} from './decode.ts';

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

test('takes the forms of Apache HttpClient, and a part without a file name whose type is not text', async () => {
  const contentType = 'multipart/form-data; charset=ISO-8859-1; boundary=b';
  expect(chooseMediaType(contentType, ['multipart/form-data'])).toBe('multipart/form-data');
  const parts = [
    'name="text"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\r\n\xe9',
    'name="tags"\r\nContent-Type: application/json\r\n\r\n[]',
    'name="audio"\r\nContent-Type: audio/wav\r\n\r\nRIFF\xff',
  ];
  const body = parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('');
  expect(await decodeMultipart(Buffer.from(`${body}--b--\r\n`, 'latin1'), contentType)).toEqual([
    { name: 'text', value: '\xe9' },
    { name: 'tags', value: '[]' },
    { name: 'audio', value: { fileName: '', bytes: Buffer.from('RIFF\xff', 'latin1') } },
  ]);
});

test('refuses another charset, and a compressed body', () => {
  expect(() => chooseMediaType('application/json; charset=latin1', accepted)).toThrow('latin1');
  expect(() => chooseMediaType('application/json', accepted, 'gzip')).toThrow('gzip');
});

test.each([10, 100_000])('reads a whole body of %i bytes, and refuses one byte more', async (limit) => {
  for (const added of [0, 1]) {
    const body = new PassThrough();
    const read = readBody({ headers: {}, body }, limit);
    body.write('ab');
    body.end(Buffer.alloc(limit - 2 + added, 'c'));
    if (added === 0) expect((await read).toString()).toBe(`ab${'c'.repeat(limit - 2)}`);
    else await expect(read).rejects.toThrow(`larger than ${limit} bytes`);
  }
});

test('reports a sender that goes away', async () => {
  const body = new PassThrough();
  const read = readBody({ headers: {}, body }, 10);
  body.write('abc');
  setImmediate(() => body.destroy());
  await expect(read).rejects.toThrow('closed after 3 bytes');
});

const formats = [
  { mediaType: 'application/json', write: (value: unknown) => Buffer.from(JSON.stringify(value)) },
  { mediaType: 'application/msgpack', write: (value: unknown) => Buffer.from(encode(value)) },
] as const;

test('refuses what is nested too deeply with 400, in either encoding, and follows 32 levels', async () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  for (const { mediaType, write } of formats) {
    const decodeNested = (depth: number) => decodeBody(write(nested(depth)), mediaType, mediaType);
    await expect(decodeNested(decodeLimits.depth)).resolves.toBeDefined();
    await expect(decodeNested(decodeLimits.depth + 1)).rejects.toMatchObject({ status: 400 });
  }
  const deep = Buffer.from('['.repeat(1_000_000) + ']'.repeat(1_000_000));
  await expect(decodeBody(deep, 'application/json', '')).rejects.toMatchObject({ status: 400 });
  const packed = Buffer.concat([Buffer.alloc(50_000, 0x91), Buffer.of(0xc0)]);
  expect(() => decodeMessagePack(packed)).toThrow('nested deeper than 32 levels');
});

test('refuses more values than the limit before it decodes them, in either encoding', async () => {
  // A value of each length that MessagePack knows, and strings that look like the marks of JSON.
  const sizes = [0, 20, 200, 300, 70_000];
  const values = [
    null,
    true,
    1,
    -1,
    200,
    -200,
    70_000,
    -70_000,
    2 ** 40,
    0.5,
    '", [{\\"',
    ...sizes.map((n) => 'a'.repeat(n)),
  ];
  const listOf = (count: number) =>
    Array.from({ length: count }, (_, index) => values[index % values.length]);
  const halves = (count: number) => [listOf(count / 2), listOf(count / 2)];
  for (const { mediaType, write } of formats) {
    const decoded = (value: unknown) => decodeBody(write(value), mediaType, mediaType);
    await expect(decoded(halves(decodeLimits.values / 100))).resolves.toBeDefined();
    await expect(decoded(Array(decodeLimits.values - 3).fill(null))).resolves.toBeDefined();
    const many = decoded([
      Array(decodeLimits.values / 2).fill('","'),
      Array(decodeLimits.values / 2).fill([]),
    ]);
    await expect(many).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('100000 values'),
    });
  }
  const binary = Buffer.from(
    encode({ clip: Buffer.alloc(1_000_000, 0x90), sizes: sizes.map((n) => Buffer.alloc(n)) }),
  );
  expect(decodeMessagePack(binary)).toHaveProperty('clip');
});

test('shows nothing of a body that is not JSON', async () => {
  for (const body of ['{"text": my secret}', '"secret', 'my secret text', '{"a":"secret" "b"}']) {
    const refusal = await decodeBody(Buffer.from(body), 'application/json', '').catch((error) => error);
    expect(refusal).toMatchObject({ issues: [{ type: 'json_invalid' }] });
    expect(refusal.message).not.toContain('secret');
  }
  const latin1 = decodeBody(Buffer.from('"é"', 'latin1'), 'application/json', '');
  await expect(latin1).rejects.toThrow('not UTF-8');
  const marked = await decodeBody(Buffer.from('\uFEFF{"text":"a"}'), 'application/json', '');
  expect(marked).toMatchObject({ value: { text: 'a' } });
});

async function encoded(form: FormData): Promise<readonly [bytes: Buffer, contentType: string]> {
  const response = new Response(form);
  return [Buffer.from(await response.arrayBuffer()), response.headers.get('content-type') ?? ''];
}

function exampleForm(): FormData {
  const form = new FormData();
  form.append('type', 'tts');
  form.append('voices', new Blob([Uint8Array.of(1, 2, 3)], { type: 'audio/wav' }), 'one.wav');
  form.append('title', '港口');
  form.append('voices', new Blob([new Uint8Array(200_000).fill(7)]), 'zwei ü.wav');
  return form;
}

test('keeps fields and files of a form in the order of arrival', async () => {
  const entries = await decodeMultipart(...(await encoded(exampleForm())));
  expect(entries.map((entry) => entry.name)).toEqual(['type', 'voices', 'title', 'voices']);
  expect(entries[0]?.value).toBe('tts');
  expect(entries[2]?.value).toBe('港口');
  expect(entries[1]?.value).toMatchObject({ fileName: 'one.wav', bytes: Buffer.of(1, 2, 3) });
  expect(entries[3]?.value).toMatchObject({ fileName: 'zwei ü.wav', bytes: { length: 200_000 } });
});

test('refuses a form that breaks off, at any of many places, and one without a boundary', async () => {
  const [bytes, contentType] = await encoded(exampleForm());
  for (let length = 0; length < bytes.length - 4; length += 997) {
    const cut = decodeMultipart(bytes.subarray(0, length), contentType);
    await expect(cut).rejects.toBeInstanceOf(Refusal);
  }
  const issues = [{ type: 'multipart_invalid' }];
  await expect(decodeMultipart(bytes, 'multipart/form-data')).rejects.toMatchObject({ issues });
});

test('refuses a flood of parts or fields', async () => {
  const tags = new FormData();
  for (let index = 0; index <= decodeLimits.formParts; index += 1) tags.append('tags', 'x');
  await expect(decodeMultipart(...(await encoded(tags)))).rejects.toThrow('more than 1000 parts');
  expect(() => decodeUrlEncoded('a=1&'.repeat(2_000))).toThrow('more than 1000 fields');
  expect(decodeUrlEncoded('&'.repeat(1_500))).toEqual([]);
});

test('refuses a field that is not UTF-8, and keeps a replacement character that was sent', async () => {
  const form = (value: Buffer) =>
    decodeMultipart(
      Buffer.concat([
        Buffer.from('--b\r\ncontent-disposition: form-data; name="title"\r\n\r\n'),
        value,
        Buffer.from('\r\n--b--\r\n'),
      ]),
      'multipart/form-data; boundary=b',
    );
  await expect(form(Buffer.from([0x61, 0xe9, 0x62]))).rejects.toThrow('`title` is not UTF-8');
  expect(await form(Buffer.from('a\uFFFDb'))).toEqual([{ name: 'title', value: 'a\uFFFDb' }]);
});
