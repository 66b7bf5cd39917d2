import type { AudioFacts } from './audio-facts.ts';
import { Heard } from './heard.ts';

/** Takes bytes for samples: 16 bits, little-endian, one channel, at the rate that was asked for. */
export function inspectPcm(bytes: Uint8Array, sampleRate: number): AudioFacts {
  const heard = new Heard();
  heard.addPcm(bytes, 1);
  return {
    format: 'pcm',
    described: 'pcm',
    sampleRate,
    samples: heard.samples,
    seconds: heard.samples / sampleRate,
    peak: heard.peak,
    damage: [],
    ...(bytes.length % 2 === 1 && { cut: { message: 'half a sample', byte: bytes.length - 1 } }),
    looksByteSwapped: looksByteSwapped(bytes),
    looksPaired: looksPaired(bytes),
    fingerprint: heard.fingerprint,
  };
}

/** Sound changes little from one sample to the next; with its bytes swapped it is noise. */
export function looksByteSwapped(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(Math.floor(bytes.length / 2), 200_000);
  let asIs = 0;
  let swapped = 0;
  for (let index = 1; index < count; index += 1) {
    asIs += Math.abs(view.getInt16(index * 2, true) - view.getInt16(index * 2 - 2, true));
    swapped += Math.abs(view.getInt16(index * 2, false) - view.getInt16(index * 2 - 2, false));
  }
  return count > 1000 && asIs > 3 * swapped && swapped > 0;
}

function looksPaired(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(Math.floor(bytes.length / 4), 200_000);
  let different = 0;
  for (let index = 0; index < count; index += 1) {
    const left = view.getInt16(index * 4, true);
    if (left !== view.getInt16(index * 4 + 2, true)) return false;
    if (left !== view.getInt16(Math.max(0, index * 4 - 4), true)) different += 1;
  }
  return different > 100;
}
