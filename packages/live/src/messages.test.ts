import { encode } from '@msgpack/msgpack';
import { ProtocolError } from '@speech-api/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMessage } from './messages.ts';

const events = ['audio', 'finish', 'error', 'ready', 'of tomorrow'];
const fields = [
  'event',
  'audio',
  'reason',
  'message',
  'error',
  'status',
  'retry_after',
  'alignment',
  'content',
];
const messages = fc
  .dictionary(fc.constantFrom(...fields), fc.oneof(fc.jsonValue(), fc.uint8Array()))
  .chain((message) => fc.constantFrom(...events).map((event) => encode({ event, ...message })));
/** A message, cut and with bytes of another kind in it. */
const damaged = fc
  .tuple(messages, fc.nat(), fc.uint8Array({ maxLength: 3 }))
  .map(([frame, at, bytes]) => Uint8Array.from([...frame.subarray(0, at % (frame.length + 1)), ...bytes]));

test('whatever a server sends is a message, or a ProtocolError', () => {
  fc.assert(
    fc.property(fc.oneof(messages, damaged, fc.uint8Array()), (frame) => {
      try {
        expect([...events.slice(0, 4), 'unknown']).toContain(readMessage(frame).event);
      } catch (error) {
        expect(ProtocolError.isInstance(error) || error).toBe(true);
      }
    }),
  );
});
