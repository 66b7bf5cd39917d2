import { createHash } from 'node:crypto';
import type { AudioFacts, ExpectedAudio } from './audio-facts.ts';
import { inspectMp3 } from './inspect-mp3.ts';
import { inspectOpus } from './inspect-opus.ts';
import { inspectPcm } from './inspect-pcm.ts';
import { inspectWav } from './inspect-wav.ts';
import { sniff } from './sniff.ts';

/**
 * Finds out what bytes are, and decodes them.
 *
 * Bytes of strangers can lead a decoder astray: outside of tests it runs in a thread with a deadline.
 */
export async function inspect(bytes: Uint8Array, expected: ExpectedAudio): Promise<AudioFacts> {
  const looks = sniff(bytes);
  if (looks === 'wav') return inspectWav(bytes);
  if (looks === 'mp3') return await inspectMp3(bytes);
  if (looks === 'opus') return await inspectOpus(bytes);
  // Samples have no head by which they could be known.
  if (expected.format === 'pcm' && (looks === 'nothing known' || bytes.length === 0)) {
    return inspectPcm(bytes, expected.sampleRate);
  }
  return {
    format: 'other',
    described: bytes.length === 0 ? 'empty' : looks,
    samples: 0,
    seconds: 0,
    peak: 0,
    damage: [],
    fingerprint: createHash('sha256').update(bytes).digest('hex'),
  };
}
