import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventDecoder } from './event-decoder.ts';

const line = new TextEncoder().encode('data: ');
const end = new TextEncoder().encode('\n\n');

// Whole characters of every length, and bytes that begin one, go on with one, or never belong to one.
const bytes = fc.array(
  fc.oneof(
    fc
      .string({ unit: 'binary', minLength: 1, maxLength: 2 })
      .map((text) => [...new TextEncoder().encode(text)]),
    fc
      .constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc3, 0xe0, 0xe4, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff)
      .map((byte) => [byte]),
  ),
  { maxLength: 8 },
);

test('gives the text of the whole, wherever the bytes are cut and whatever they are', () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(3)), (groups, sizes) => {
      const text = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      const whole = Uint8Array.from([...line, ...groups.flat(), ...end]);
      const decoder = createEventDecoder(1000);
      const events = [];
      let position = 0;
      for (const size of [...sizes, whole.length]) {
        const piece = whole.slice(position, position + size);
        events.push(...decoder.push(piece));
        // The memory of a piece belongs to the caller again.
        piece.fill(0x21);
        position += size;
      }
      expect(events).toEqual(createEventDecoder(1000).push(new TextEncoder().encode(text(whole))));
    }),
    { numRuns: 2000 },
  );
});
