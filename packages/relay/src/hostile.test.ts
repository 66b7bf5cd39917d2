import { encode } from '@msgpack/msgpack';
import { afterEach, expect, test, vi } from 'vitest';
import { createTickets } from './index.ts';
import {
  finish,
  openPage,
  refusalOf,
  serviceEnd,
  start,
  startService,
  startTestRelay,
  text,
} from './testing/service.ts';

// Written from the README alone: pages and services that do what nobody should, and a few do.

const tickets = createTickets({ secret: 'at least thirty-two bytes of a secret' });

afterEach(() => void vi.useRealTimers());

test.each([
  ['an empty list of samples', { references: [] }],
  ['a list of an empty list of samples', { references: [[]] }],
  ['no samples', { references: null }],
  ['samples that are an object', { references: {} }],
  ['no voice', { reference_id: null }],
  ['an empty list of voices', { reference_id: [] }],
  ['an empty voice', { reference_id: '' }],
  ['a voice that is an object', { reference_id: {} }],
  ['a list with another voice', { reference_id: ['alba', 'eve'] }],
  ['the voice twice, once empty', { reference_id: ['alba', ''] }],
  ['empty samples beside its voice', { reference_id: 'alba', references: [] }],
])('%s cannot lift the list of voices', async (_what, request) => {
  const service = await startService();
  const relay = await startTestRelay(service, { authorize: () => ({ user: 'anna', voices: ['alba'] }) });
  const client = await openPage(relay);
  client.send(start(request), text('Hello.'));
  const { code } = (await refusalOf(client)) as { code: number };
  expect([4400, 4403, 4422]).toContain(code);
  expect((await serviceEnd(service)).messages()).toEqual([]);
});

test.each([
  ['no user', { user: '' }],
  ['a list as user', { user: ['anna'] }],
  ['a voice that is no list', { user: 'anna', voices: 'alba' }],
  ['an unknown format', { user: 'anna', formats: ['flac'] }],
  ['a negative number of characters', { user: 'anna', characters: -1 }],
  ['half a character', { user: 'anna', characters: 0.5 }],
  ['an unknown field', { user: 'anna', voice: ['alba'] }],
])('no ticket is issued for %s', async (_what, grant) => {
  await expect((async () => tickets.issue(grant as { user: string }))()).rejects.toThrow();
});

test.each([
  [-4000, true],
  [4000 + 30_000, true],
  [-7000, false],
  [7000 + 30_000, false],
])('a ticket between machines whose clocks differ, %i ms from its issue: %s', async (difference, good) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const now = Date.now();
  const ticket = await tickets.issue({ user: 'anna' });
  vi.setSystemTime(now + difference);
  expect((await tickets.redeem(ticket)) !== undefined).toBe(good);
  expect(await tickets.redeem(ticket)).toBeUndefined();
});

test('what the service adds to its audio stays behind the relay', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const client = await openPage(relay);
  client.send(start());
  const end = await serviceEnd(service);
  await end.until('start');
  end.send({ event: 'audio', audio: new Uint8Array(3), account: 'acme', time: 12 }, finish);
  expect(await client.until('audio')).toEqual({ event: 'audio', audio: new Uint8Array(3) });
});

test('a page cannot send messages without end', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const client = await openPage(relay);
  client.send(start(), ...Array.from({ length: 5000 }, () => text('')));
  expect(await refusalOf(client)).toMatchObject({ code: 4429 });
});

test.each([
  ['a list', encode(['start'])],
  ['a number', encode(1)],
  ['two messages in one frame', Buffer.concat([encode(start()), encode(start())])],
  ['a key that stands twice', Buffer.from('82a56576656e74a57374617274a56576656e74a473746f70', 'hex')],
  ['a list of sixteen million entries in six bytes', Buffer.from('81a1ffdd00ffffff', 'hex')],
])('a frame that is %s', async (_what, frame) => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const client = await openPage(relay);
  client.socket.send(frame);
  const { code } = (await refusalOf(client)) as { code: number };
  expect([1007, 4400, 4422]).toContain(code);
  expect((await serviceEnd(service)).messages()).toEqual([]);
});
