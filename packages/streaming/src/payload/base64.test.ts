import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base64Of } from '../testing/streams.ts';
import { decodeBase64, decodeWithAtob } from './base64.ts';

describe.each([
  ['with whatever the runtime has', decodeBase64],
  ['with atob', (text: string) => decodeWithAtob(text)],
])('base64 %s', (_, decode) => {
  test('gives back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decode(base64Of(bytes))).toEqual(bytes);
      }),
    );
  });

  test('refuses every string that is not the encoding of its own bytes', () => {
    const character = fc.constantFrom(...'AQgwZz09+/=-_ \n\té\u0141');
    fc.assert(
      fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
        const text = characters.join('');
        let decoded: Uint8Array | undefined;
        try {
          decoded = decode(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
        if (decoded !== undefined) expect(base64Of(decoded)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});
