import { createDecoder } from 'libopus-wasm';
import type { AudioFacts, AudioFlaw } from './audio-facts.ts';
import { Heard } from './heard.ts';
import { readOggPages } from './ogg-pages.ts';

/** Hz: what every Opus decoder plays at, and what the format counts in. */
const clockRate = 48_000;

/** Walks over every page, and has every packet decoded. */
export async function inspectOpus(bytes: Uint8Array): Promise<AudioFacts> {
  const { packets, lastGranule, damage, cut } = readOggPages(bytes);
  const [head, tags, ...audio] = packets;
  const flaws: AudioFlaw[] = [...damage];
  if (nameOf(head) !== 'OpusHead') flaws.push({ message: 'the first packet is no OpusHead', byte: 0 });
  // RFC 7845, section 5.1: another upper half of the version is another format.
  else if (((head?.[8] ?? 0) & 0xf0) !== 0) {
    flaws.push({ message: `its OpusHead has the version ${head?.[8]}, which no decoder knows`, byte: 0 });
  }
  if (nameOf(tags) !== 'OpusTags') flaws.push({ message: 'the second packet is no OpusTags', byte: 0 });
  const channels = head?.[9] ?? 0;
  const preSkip = (head?.[10] ?? 0) | ((head?.[11] ?? 0) << 8);
  const heard = new Heard();
  const decoder = await createDecoder({ channels: 1, sampleRate: clockRate });
  for (const [index, packet] of audio.entries()) {
    try {
      heard.add(decoder.decodeFloat(packet));
    } catch {
      flaws.push({ message: `the decoder refuses packet ${index}`, byte: 0 });
    }
  }
  decoder.free();
  // The container takes off what filled up the last packet; it can't add sound that is not there.
  const told = Math.max(0, Number(lastGranule) - preSkip);
  const decoded = Math.max(0, heard.samples - preSkip);
  if (told > decoded)
    flaws.push({ message: `its pages count ${told} samples, its packets have ${decoded}`, byte: 0 });
  const samples = Math.min(told, decoded);
  const seconds = samples / clockRate;
  const packetBytes = audio.reduce((sum, packet) => sum + packet.length, 0);
  return {
    format: 'opus',
    described: 'opus',
    sampleRate: clockRate,
    channels,
    samples,
    seconds,
    peak: heard.peak,
    ...(seconds > 0 && { bitsPerSecond: (packetBytes * 8) / seconds }),
    damage: flaws,
    ...(cut !== undefined && { cut }),
    fingerprint: heard.fingerprint,
  };
}

function nameOf(packet: Uint8Array | undefined): string {
  return Buffer.from(packet?.subarray(0, 8) ?? []).toString('latin1');
}
