// # Speech for a telephone line
// Telephony wants 8 kHz mu-law (G.711) in frames of 20 ms; the service sends 8 kHz pcm, and this turns one into the other.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createSpeechClient } from '@speech-api/client';

export const frameSize = 160; // 20 ms at 8000 samples a second, one byte each
const silence = 0xff;

/** G.711: a sign, the position of the highest bit, and the four bits below it; all of them inverted. */
function toMuLaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = 24 - Math.clz32(magnitude);
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

/** Frames of mu-law from 16-bit pcm, however its bytes are cut; the last frame is filled up with silence. */
export async function* muLawFrames(pcm: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let frame = new Uint8Array(frameSize).fill(silence);
  let filled = 0;
  let low: number | undefined;
  for await (const piece of pcm) {
    for (const byte of piece) {
      if (low === undefined) {
        low = byte;
        continue;
      }
      frame[filled++] = toMuLaw(((low | (byte << 8)) << 16) >> 16);
      low = undefined;
      if (filled < frameSize) continue;
      yield frame;
      frame = new Uint8Array(frameSize).fill(silence);
      filled = 0;
    }
  }
  if (filled > 0) yield frame;
}

if (import.meta.main) {
  const text = 'Your table is booked for seven.';
  const audio = await createSpeechClient().speech.create({ text, format: 'pcm', sample_rate: 8000 });
  await pipeline(muLawFrames(audio), createWriteStream('call.ulaw'));
}
