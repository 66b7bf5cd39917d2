import { expect, test } from 'vitest';
import { createTickets } from './index.ts';
import {
  openPage,
  refusalOf,
  serviceEnd,
  start,
  startService,
  startTestRelay,
  text,
} from './testing/service.ts';

// Written from the README alone: pages and services that do what nobody should, and a few do.

const secret = 'at least thirty-two bytes of a secret';

test.each([
  ['an empty list of samples', { references: [] }],
  ['a list of an empty list of samples', { references: [[]] }],
  ['a speaker without samples', { references: [[{ audio: Buffer.of(1), text: '' }], []] }],
  ['samples without audio', { references: [{ text: 'Hello.' }] }],
  ['samples of empty audio', { references: [{ audio: Buffer.of(), text: '' }] }],
  ['no samples', { references: null }],
  ['samples that are an object', { references: {} }],
  ['samples that are an empty text', { references: '' }],
  ['an empty list of voices', { reference_id: [] }],
  ['an empty voice', { reference_id: '' }],
  ['the voice twice, once empty', { reference_id: ['alba', ''] }],
])('%s cannot lift the list of voices', async (_what, request) => {
  const service = await startService();
  const grant = { user: 'anna', voices: ['alba'], references: true };
  const relay = await startTestRelay(service, { authorize: () => grant });
  const client = await openPage(relay);
  client.send(start({ reference_id: 'eve', ...request }), text('Hello.'));
  expect([4403, 4422]).toContain(((await refusalOf(client)) as { code: number }).code);
  expect((await serviceEnd(service)).messages()).toEqual([]);
});

test.each([
  [-4, true],
  [34, true],
  [-7, false],
  [37, false],
])('a ticket %i seconds after its issue, by another clock: %s', async (seconds, good) => {
  let now = 1_800_000_000_000;
  const tickets = createTickets({ secret, now: () => now });
  const ticket = await tickets.issue({ user: 'anna' });
  now += seconds * 1000;
  if (good) expect(await tickets.redeem(ticket)).toBeDefined();
  // A ticket that is good for five seconds longer is remembered as long.
  if (good) now += 500;
  const another = await tickets.issue({ user: 'ben' });
  if (good) await tickets.redeem(another);
  const reason = good ? 'used before' : /expired|not valid/;
  await expect(tickets.redeem(ticket)).rejects.toThrow(reason);
});

test('a page cannot send messages without end', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const client = await openPage(relay);
  client.send(start(), ...Array.from({ length: 5000 }, () => text('')));
  expect(await refusalOf(client)).toMatchObject({ code: 4429 });
});
