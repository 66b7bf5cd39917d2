import { createHash } from 'node:crypto';
import { type AudioFacts, type ExpectedAudio, Heard, looksByteSwapped } from './audio-facts.ts';
import { inspectMp3, readFrame, skipTags } from './mp3.ts';
import { inspectOpus } from './opus.ts';
import { inspectWav } from './wav.ts';

/** Finds out what bytes are, and decodes them. */
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

/** The format that bytes appear to have, or a description if it is not one of ours. */
function sniff(bytes: Uint8Array): 'wav' | 'mp3' | 'opus' | 'nothing known' | (string & {}) {
  const head = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  if (/^(RIFF|RIFX|RF64)....WAVE/s.test(head)) return 'wav';
  if (head.startsWith('OggS')) return head.includes('OpusHead') ? 'opus' : 'Ogg, but not Opus';
  if (head.startsWith('fLaC')) return 'FLAC';
  if (/^....ftyp/s.test(head)) return 'MP4';
  if (head.startsWith('\x1aE\xdf\xa3')) return 'Matroska or WebM';
  if (isMp3(bytes)) return 'mp3';
  if (bytes.length > 0 && isText(bytes.subarray(0, 512))) return 'text';
  return 'nothing known';
}

/** Three frames in a row from the start: two bytes that look like the head of a frame are in any file. */
function isMp3(bytes: Uint8Array): boolean {
  let position = skipTags(bytes);
  if (position > 0 && position >= bytes.length) return true;
  for (let frames = 0; frames < 3; frames += 1) {
    if (position >= bytes.length) return frames > 0;
    const frame = readFrame(bytes, position);
    if (frame === undefined) return false;
    position += frame.bytes;
  }
  return true;
}

function isText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127));
}

/** Takes bytes for samples: 16 bits, little-endian, one channel, at the rate that was asked for. */
function inspectPcm(bytes: Uint8Array, sampleRate: number): AudioFacts {
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
