import { Readable } from 'node:stream';
import { encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { maximumIssues, Refusal } from '../refuse/refusal.ts';
import { createReceiver, type IncomingRequest } from './receive.ts';

// Each of these took seconds to minutes where something looked at all errors for each of them.

const count = 10_000;
const receivers = { strict: createReceiver(), lenient: createReceiver({ lenient: true }) };

function many<Item>(item: Item): Item[] {
  return Array.from({ length: count }, () => item);
}

const unknown = Object.fromEntries(many(0).map((_, index) => [`temperatur_${index % 10}_${index}`, index]));

const bodies: Readonly<Record<string, object>> = {
  'unknown fields': { text: 'a', ...unknown },
  'unknown fields before the known ones': { ...unknown, text: 'a', format: 'flac' },
  'unknown fields of an inner object': { text: 'a', prosody: unknown },
  'invalid references': { text: 'a', references: many(1) },
  'references without anything': { text: 'a', references: many({}) },
  'invalid nested references': {
    text: 'a',
    reference_id: ['b'],
    references: many([1]),
  },
  'invalid voices': { text: 'a', reference_id: many(1) },
};

async function refusalOf(
  body: Uint8Array,
  mediaType: string,
  mode: 'strict' | 'lenient',
): Promise<Refusal | undefined> {
  const head = {
    method: 'POST',
    url: '/v1/tts',
    headers: { model: 's2-pro', 'content-type': mediaType },
  };
  const request: IncomingRequest = Object.assign(Readable.from([body]), head);
  try {
    await receivers[mode].receive(request, {});
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const written = {
  'application/json': (body: object) => Buffer.from(JSON.stringify(body)),
  'application/msgpack': (body: object) => encode(body),
};

for (const [mediaType, write] of Object.entries(written)) {
  test.each(Object.entries(bodies))(`refuses a ten thousand %s in ${mediaType}`, async (_, body) => {
    const refusal = await refusalOf(write(body), mediaType, 'strict');
    expect(refusal?.entry.id).toBe('schema');
    expect(refusal?.issues.length).toBeGreaterThan(0);
    expect(refusal?.issues.length).toBeLessThanOrEqual(maximumIssues);
  });

  test(`a lenient server drops a ten thousand unknown fields in ${mediaType}`, async () => {
    expect(await refusalOf(write({ text: 'a', ...unknown }), mediaType, 'lenient')).toBeUndefined();
  });
}

test('shows twenty of a ten thousand unknown fields, each with what was probably meant', async () => {
  const body = Object.fromEntries(
    many(0).map((_, index) => [`temperature${index % 100}${'_'.repeat(index / 100)}`, 0]),
  );
  const refusal = await refusalOf(
    Buffer.from(JSON.stringify({ text: 'a', ...body })),
    'application/json',
    'strict',
  );
  expect(refusal?.issues).toHaveLength(maximumIssues);
  expect(refusal?.issues.map(({ type }) => type)).toEqual(Array(maximumIssues).fill('extra_forbidden'));
  expect(refusal?.issues.every(({ msg }) => msg.includes('did you mean `temperature`'))).toBe(true);
});

test('sees what is wrong behind a ten thousand good items', async () => {
  const body = { type: 'tts', title: 'a', reference_id: [...many('voice'), 1], text: 'a' };
  const refusal = await refusalOf(Buffer.from(JSON.stringify(body)), 'application/json', 'strict');
  expect(refusal?.issues.map(({ loc }) => loc)).toContainEqual(['body', 'type']);
  const { type: _, title: __, ...rest } = body;
  const alone = await refusalOf(Buffer.from(JSON.stringify(rest)), 'application/json', 'strict');
  expect(alone?.issues).toMatchObject([{ loc: ['body', 'reference_id', String(count)] }]);
});

/** Any other request, as far as a test of many names needs it. */
async function refusedNames(
  request: Partial<IncomingRequest>,
  body: Uint8Array | string = '',
): Promise<Refusal> {
  const stream = Readable.from(body.length === 0 ? [] : [Buffer.from(body)]);
  const outcome = await receivers.strict
    .receive(Object.assign(stream, { method: 'GET', url: '/model', headers: {}, ...request }), {})
    .catch((error: unknown) => error);
  if (outcome instanceof Refusal) return outcome;
  throw outcome instanceof Error ? outcome : new Error('the request was received');
}

test('shows twenty of many unknown query keys, and refuses a flood of them at once', async () => {
  const keys = many('').map((_, index) => `tags${index}=a`);
  const some = await refusedNames({ url: `/model?${keys.slice(0, 900).join('&')}` });
  expect(some.entry.id).toBe('schema');
  expect(some.issues).toHaveLength(maximumIssues);
  expect(some.issues.every(({ loc }) => loc[0] === 'query')).toBe(true);
  const flood = await refusedNames({ url: `/model?${keys.join('&')}` });
  expect(flood.issues.map(({ loc, msg }) => [loc, msg])).toEqual([
    [['query'], expect.stringMatching(/more than \d+/)],
  ]);
});

const form = (parts: number): Uint8Array =>
  Buffer.from(
    `${Array.from({ length: parts }, (_, index) => `--b\r\ncontent-disposition: form-data; name="titel${index}"\r\n\r\na\r\n`).join('')}--b--\r\n`,
  );
const toModel = { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' } };

test('shows twenty of many unknown parts of a form, and refuses a form of too many parts', async () => {
  const some = await refusedNames(toModel, form(900));
  expect(some.entry.id).toBe('schema');
  expect(some.issues).toHaveLength(maximumIssues);
  const flood = await refusedNames(toModel, form(50_000));
  expect(flood.entry.id).toBe('malformed-body');
  expect(flood.issues.map(({ msg }) => msg).join()).toMatch(/more than \d+ parts/);
});

test('judges a small request while a large one is judged', async () => {
  const head = {
    method: 'POST',
    url: '/v1/tts',
    headers: { 'content-type': 'application/json', model: 's2-pro' },
  };
  const order: string[] = [];
  const send = async (name: string, text: string): Promise<void> => {
    const body = Buffer.from(JSON.stringify({ text }));
    await receivers.strict.receive(Object.assign(Readable.from([body]), head), {}).catch(() => {});
    order.push(name);
  };
  const large = send('large', '"'.repeat(5_000_000));
  await send('small', 'a');
  await large;
  expect(order).toEqual(['small', 'large']);
});
