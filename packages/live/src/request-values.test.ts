import { RequestError } from '@speech-api/client';
import { expect, test } from 'vitest';
import type { LiveRequest } from './messages.ts';
import { collect, connectTo, failureOf, openers, speaks, startScript } from './testing/scripted-server.ts';

const [[, , connect]] = openers;

const cycle: Record<string, unknown> = {};
cycle.inner = cycle;

const values: readonly (readonly [name: string, request: object, field: string])[] = [
  ['a bigint', { seed: 1n }, 'seed'],
  ['a function', { prosody: { speed: () => 1 } }, 'prosody.speed'],
  ['a cycle', { prosody: cycle }, 'prosody.inner'],
  ['a date', { references: [{ audio: new Date(), text: 'a' }] }, 'references.0.audio'],
  ['NaN', { 'a/b~c': Number.NaN }, 'a/b~c'],
  ['a bigint as format', { format: 1n }, 'format'],
  ['a cycle as format', { format: cycle }, 'format'],
];

test.each(values)('%s in a request is refused before anything is sent', async (_, request, field) => {
  const { source, peers } = await startScript(speaks(4));
  const error = await failureOf(connect(source, request as LiveRequest));
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ field });
  expect(peers).toHaveLength(0);
});

test.each(values)('%s in the request of an utterance is thrown by speak', async (_, request, field) => {
  const { connection, peers } = await connectTo(speaks(4));
  const speak = () => connection.speak('Hello.', { request: request as LiveRequest });
  expect(speak).toThrow(RequestError);
  expect(speak).toThrow(expect.objectContaining({ field }));
  expect(peers.flatMap(({ received }) => received)).toEqual([]);
  expect(await collect(connection.speak('Hello.'))).toHaveLength(24);
});

test('what is no text is thrown by write, and not spoken', async () => {
  const { connection, peers } = await connectTo(speaks(4));
  const speech = connection.speak();
  for (const value of [1n, () => 'a', {}, 7])
    expect(() => speech.write(value as never)).toThrow(expect.objectContaining({ field: 'text' }));
  await speech.write('Hello.');
  speech.end();
  await collect(speech);
  expect(peers[0]?.received).toContainEqual({ event: 'text', text: 'Hello.' });
});
