import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { SpeechStreamError } from '../errors.ts';
import { base64Of, wireEvent } from '../testing/streams.ts';
import { PayloadOpener } from './open-payload.ts';

/** The audio of an event, as callers get it. */
const decode = (audio_base64: string) =>
  new PayloadOpener().open(JSON.stringify(wireEvent({ audio_base64 })), 0).audio;

function decodeWithAtob(text: string) {
  const { fromBase64 } = Uint8Array as { fromBase64?: unknown };
  Object.assign(Uint8Array, { fromBase64: undefined });
  vi.stubGlobal('Buffer', undefined);
  try {
    return decode(text);
  } finally {
    vi.unstubAllGlobals();
    Object.assign(Uint8Array, { fromBase64 });
  }
}

describe.each([
  ['with whatever the runtime has', decode],
  ['with atob', decodeWithAtob],
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
          expect(error).toBeInstanceOf(SpeechStreamError);
          expect(error).toMatchObject({ kind: 'invalid-base64', field: '/audio_base64' });
        }
        if (decoded !== undefined) expect(base64Of(decoded)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});
