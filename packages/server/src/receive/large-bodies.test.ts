import { encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { maximumIssues } from '../refuse/refusal.ts';
import { formOf, json, lenient, multipart, receiver, refusalOf, requestOf } from './testing/receiving.ts';

// Each of these took seconds to minutes where something looked at all errors for each of them.

const count = 10_000;

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
  'invalid nested references': { text: 'a', reference_id: ['b'], references: many([1]) },
  'invalid voices': { text: 'a', reference_id: many(1) },
};

test.each(Object.entries(bodies))(
  'refuses a ten thousand %s, in JSON and in MessagePack',
  async (_, body) => {
    const packed = { headers: { ...json, 'content-type': 'application/msgpack' }, body: encode(body) };
    for (const sent of [{ body }, packed]) {
      const refusal = await refusalOf(sent);
      expect(refusal.entry.id).toBe('schema');
      expect(refusal.issues.length).toBeGreaterThan(0);
      expect(refusal.issues.length).toBeLessThanOrEqual(maximumIssues);
    }
  },
);

test('a lenient server drops a ten thousand unknown fields', async () => {
  const call = await lenient.receive(requestOf({ body: { text: 'a', ...unknown } }), {});
  expect([call.body, call.tolerated.length]).toEqual([{ text: 'a' }, maximumIssues]);
});

test('shows twenty of a ten thousand unknown fields, each with what was probably meant', async () => {
  const names = many(0).map((_, index) => `temperature${index % 100}${'_'.repeat(index / 100)}`);
  const { issues } = await refusalOf({
    body: { text: 'a', ...Object.fromEntries(names.map((name) => [name, 0])) },
  });
  expect(issues.map(({ type }) => type)).toEqual(Array(maximumIssues).fill('extra_forbidden'));
  expect(issues.every(({ msg }) => msg.includes('did you mean `temperature`'))).toBe(true);
});

test('sees what is wrong behind a ten thousand good items', async () => {
  const body = { reference_id: [...many('voice'), 1], text: 'a' };
  const refusal = await refusalOf({ body: { type: 'tts', ...body } });
  expect(refusal.issues.map(({ loc }) => loc)).toContainEqual(['body', 'type']);
  expect((await refusalOf({ body })).issues).toMatchObject([
    { loc: ['body', 'reference_id', String(count)] },
  ]);
});

test('shows twenty of many unknown names of a query or form, and refuses a flood of them at once', async () => {
  const query = (names: number) =>
    `/model?${many('')
      .map((_, index) => `tags${index}=a`)
      .slice(0, names)
      .join('&')}`;
  const list = (names: number) => refusalOf({ method: 'GET', url: query(names), headers: {} });
  const form = (names: number) => {
    const parts = many('')
      .slice(0, names)
      .map((_, index) => [`name="titel${index}"`, 'a'] as const);
    return refusalOf({ url: '/model', headers: multipart, body: formOf(parts) });
  };
  for (const ask of [list, form]) {
    const some = await ask(900);
    expect([some.entry.id, some.issues.length]).toEqual(['schema', maximumIssues]);
  }
  expect((await list(900)).issues.every(({ loc }) => loc[0] === 'query')).toBe(true);
  expect((await list(count)).issues).toMatchObject([
    { loc: ['query'], msg: expect.stringMatching(/more than \d+/) },
  ]);
  const flood = await form(count);
  expect(flood.entry.id).toBe('malformed-body');
  expect(flood.message).toMatch(/more than \d+ parts/);
});

test('judges a small request while a large one is judged', async () => {
  const order: string[] = [];
  const send = async (name: string, text: string): Promise<void> => {
    const references = [{ audio: 'AAAA', text }];
    await receiver.receive(requestOf({ body: { text: 'a', references } }), {});
    order.push(name);
  };
  const large = send('large', '"'.repeat(5_000_000));
  await send('small', 'a');
  await large;
  expect(order).toEqual(['small', 'large']);
});
