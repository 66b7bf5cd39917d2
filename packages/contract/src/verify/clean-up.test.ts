import { expect, test } from 'vitest';
import { exchange } from '../testing/exchanges.ts';
import { createCleanUp } from './clean-up.ts';

const nowhere = { base: 'http://127.0.0.1:9', live: 'ws://127.0.0.1:9', key: 'some-key' };
const limits = { idleMs: 30_000, totalMs: 30_000 };

const creation = (status: number, body: string, sent: object = { title: 'A title' }) => {
  const made = exchange('createModel', { status, body });
  return { ...made, request: { ...made.request, decoded: sent } };
};

test('says what may have been made where the answer got lost or cannot be read', async () => {
  const cleanUp = createCleanUp(nowhere, limits);
  cleanUp.note(creation(0, ''));
  cleanUp.note(creation(201, 'not JSON'));
  cleanUp.note(creation(422, '[]'));
  cleanUp.note(creation(0, '', {}), new Error('reset'));
  // A refused connection carried nothing.
  cleanUp.note(creation(0, ''), Object.assign(new Error(), { code: 'ECONNREFUSED' }));
  const titled = 'perhaps a voice model with the title "A title", whose answer could not be read';
  const untitled = 'perhaps a voice model without a title, whose answer could not be read';
  expect(await cleanUp.finish()).toEqual([titled, titled, untitled]);
});
