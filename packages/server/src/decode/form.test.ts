import { expect, test } from 'vitest';
import { DecodeFailure, decodeLimits } from './failure.ts';
import { decodeMultipart, decodeUrlEncoded } from './form.ts';

async function encoded(form: FormData): Promise<{ bytes: Uint8Array; contentType: string }> {
  const response = new Response(form);
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    contentType: response.headers.get('content-type') ?? '',
  };
}

function exampleForm(): FormData {
  const form = new FormData();
  form.append('type', 'tts');
  form.append('voices', new Blob([Uint8Array.of(1, 2, 3)], { type: 'audio/wav' }), 'one.wav');
  form.append('title', '港口');
  form.append('voices', new Blob([new Uint8Array(200_000).fill(7)]), 'zwei ü.wav');
  return form;
}

test('keeps fields and files in the order of arrival', async () => {
  const { bytes, contentType } = await encoded(exampleForm());
  const entries = await decodeMultipart(bytes, contentType);
  expect(entries.map((entry) => entry.name)).toEqual(['type', 'voices', 'title', 'voices']);
  expect(entries[0]?.value).toBe('tts');
  expect(entries[2]?.value).toBe('港口');
  expect(entries[1]?.value).toMatchObject({ fileName: 'one.wav', bytes: Buffer.of(1, 2, 3) });
  expect(entries[3]?.value).toMatchObject({ fileName: 'zwei ü.wav', bytes: { length: 200_000 } });
});

test('refuses a body that breaks off, at any of many places', async () => {
  const { bytes, contentType } = await encoded(exampleForm());
  for (let length = 1; length < bytes.length - 4; length += 997) {
    await expect(decodeMultipart(bytes.subarray(0, length), contentType)).rejects.toBeInstanceOf(
      DecodeFailure,
    );
  }
  await expect(decodeMultipart(new Uint8Array(), contentType)).rejects.toThrow('multipart/form-data');
});

test('refuses a header without a boundary, more parts than the limit and a field name of unusual length', async () => {
  const refused = async (form: FormData) => {
    const { bytes, contentType } = await encoded(form);
    return expect(decodeMultipart(bytes, contentType)).rejects;
  };
  const tags = new FormData();
  for (let index = 0; index <= decodeLimits.formParts; index += 1) tags.append('tags', 'x');
  await (await refused(tags)).toThrow('more than 1000 parts');
  const long = new FormData();
  long.append('x'.repeat(300), 'x');
  await (await refused(long)).toThrow('longer than 200 bytes');
  const issues = [{ type: 'multipart_invalid' }];
  await expect(decodeMultipart(new Uint8Array(), 'multipart/form-data')).rejects.toMatchObject({ issues });
});

test('keeps the order and repeated names', () => {
  expect(decodeUrlEncoded('tag=a&title=x+y%21&tag=b&empty=')).toEqual([
    { name: 'tag', value: 'a' },
    { name: 'title', value: 'x y!' },
    { name: 'tag', value: 'b' },
    { name: 'empty', value: '' },
  ]);
});

test.each(['title=%', 'title=%zz', 'title=%ff', 'title=%e4%b8'])(
  'refuses the broken sequence in %s, naming the field',
  (text) => {
    expect(() => decodeUrlEncoded(`a=1&${text}`)).toThrow('`title`');
  },
);

test('refuses a flood of fields', () => {
  expect(() => decodeUrlEncoded('a=1&'.repeat(2_000))).toThrow('more than 1000 fields');
});

test.each(['a', 'a'.repeat(500), ''])('keeps a leading U+FEFF in a field of either form', async (rest) => {
  const text = `\uFEFF${rest}`;
  const form = new FormData();
  form.append('title', text);
  const sent = new Response(form);
  const bytes = await sent.bytes();
  expect(await decodeMultipart(bytes, sent.headers.get('content-type') ?? '')).toEqual([
    { name: 'title', value: text },
  ]);
  expect(decodeUrlEncoded(new URLSearchParams({ title: text }).toString())).toEqual([
    { name: 'title', value: text },
  ]);
});

test('refuses text that is not UTF-8, and keeps a replacement character that was sent', async () => {
  const part = (value: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from('--b\r\ncontent-disposition: form-data; name="title"\r\n\r\n'),
      value,
      Buffer.from('\r\n--b--\r\n'),
    ]);
  const type = 'multipart/form-data; boundary=b';
  await expect(decodeMultipart(part(Buffer.from([0x61, 0xe9, 0x62])), type)).rejects.toThrow(
    '`title` is not UTF-8',
  );
  const sent = await decodeMultipart(part(Buffer.from('a\uFFFDb')), type);
  expect(sent).toEqual([{ name: 'title', value: 'a\uFFFDb' }]);
});
