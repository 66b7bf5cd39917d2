import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readClientMessage, readServiceMessage } from './messages.ts';
import { Refusal } from './refusal.ts';

const fields = [
  'event',
  'text',
  'request',
  'audio',
  'reason',
  'status',
  'max_concurrency',
  'format',
  'references',
];
const values = fc.oneof(
  fc.constantFrom('start', 'text', 'flush', 'stop', 'audio', 'finish', 'error', 'mp3'),
  fc.uint8Array(),
  fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()),
  fc.jsonValue(),
);
const messages = fc.dictionary(fc.constantFrom(...fields), values).map((message) => encode(message));
/** A message, cut and with bytes of another kind in it. */
const damaged = fc
  .tuple(messages, fc.nat(), fc.uint8Array({ maxLength: 3 }))
  .map(([frame, at, bytes]) => Uint8Array.from([...frame.subarray(0, at % (frame.length + 1)), ...bytes]));

test.each([
  ['a page', (data: Buffer) => readClientMessage(data, { user: 'anna' })],
  ['the service', readServiceMessage],
])('whatever %s sends is a message, or a refusal', (_sender, read) => {
  fc.assert(
    fc.property(fc.oneof(messages, damaged, fc.uint8Array()), (frame) => {
      try {
        expect(read(Buffer.from(frame)).event).toBeTypeOf('string');
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
  );
});
