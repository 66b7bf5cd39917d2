// Writes src/audio/frames.ts: one frame of mp3 a rate and bitrate, one packet of opus a bitrate, each of a steady tone, to be
// repeated for as long as an answer lasts. Needs ffmpeg; run by hand, `node frames/make-frames.ts`, when a rate comes or goes.
//
// The frequency of the tone goes a whole number of times into a frame, so that frames join without a click, and no frame
// leans on the ones before it: the bit reservoir of mp3 is off, and each packet of opus comes out the same size.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mp3Bitrates, opusBitrates, sampleRates } from '@speech-api/types';

const folder = await mkdtemp(join(tmpdir(), 'frames-'));
const samplesOfMp3Frame = 1152;
/** By then an encoder has settled. */
const settledAfter = 40;

const mp3 = Object.fromEntries(
  sampleRates.mp3.flatMap((rate) =>
    mp3Bitrates.map((bitrate) => {
      const tone = (rate / samplesOfMp3Frame) * 12;
      const options = ['-c:a', 'libmp3lame', '-b:a', `${bitrate}k`, '-reservoir', '0', '-write_xing', '0'];
      const bytes = encode(tone, rate, 'mp3', [...options, '-id3v2_version', '0']);
      return [`${rate} ${bitrate}`, mp3Frame(bytes, settledAfter).toString('base64')];
    }),
  ),
);

const opus = Object.fromEntries(
  opusBitrates
    .filter((bitrate) => bitrate > 0)
    .map((bitrate) => {
      const options = ['-c:a', 'libopus', '-b:a', String(bitrate), '-vbr', 'off', '-frame_duration', '20'];
      const bytes = encode(400, 48_000, 'ogg', options);
      return [String(bitrate), opusPacket(bytes, settledAfter).toString('base64')];
    }),
);

const header = '// Written by `node frames/make-frames.ts`; do not edit.\n';
const body = (name: string, words: string, values: Readonly<Record<string, string>>): string =>
  `\n/** ${words} */\nexport const ${name}: Readonly<Record<string, string>> = ${JSON.stringify(values, null, 2)};\n`;
const file = fileURLToPath(new URL('../src/audio/frames.ts', import.meta.url));
writeFileSync(
  file,
  header +
    body('mp3Frames', 'A frame of a tone without padding, in base64, by rate (Hz) and bitrate (kbps).', mp3) +
    body('opusPackets', 'A packet of 20 ms of a tone, in base64, by bitrate (bps).', opus),
);
await rm(folder, { recursive: true });
execFileSync('biome', ['check', '--write', file], { stdio: 'inherit' });

function encode(tone: number, rate: number, format: string, options: readonly string[]): Buffer {
  const output = join(folder, `tone.${format}`);
  const source = `sine=frequency=${tone}:sample_rate=${rate}:duration=3`;
  const input = ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-ac', '1'];
  execFileSync('ffmpeg', [...input, ...options, '-f', format, output], { stdio: 'inherit' });
  return readFileSync(output);
}

/** The first frame from the given one on that has no padding. */
function mp3Frame(bytes: Buffer, from: number): Buffer {
  const rates: Readonly<Record<number, number>> = { 0: 44_100, 2: 32_000 };
  const bitrates: Readonly<Record<number, number>> = { 5: 64, 9: 128, 11: 192 };
  let start = 0;
  for (let index = 0; ; index += 1) {
    const flags = bytes.readUInt8(start + 2);
    const padded = (flags >> 1) & 1;
    const length =
      Math.floor((144_000 * (bitrates[flags >> 4] ?? 0)) / (rates[(flags >> 2) & 3] ?? 0)) + padded;
    if (bytes.readUInt16BE(start) !== 0xfffb || length < 100) throw new Error(`no frame at ${start}`);
    if (index >= from && padded === 0) return bytes.subarray(start, start + length);
    start += length;
  }
}

/** A packet of an Ogg stream, counted over its pages; the two of the head are none. */
function opusPacket(bytes: Buffer, wanted: number): Buffer {
  let index = -2;
  for (let page = 0; page < bytes.length; ) {
    const count = bytes.readUInt8(page + 26);
    let start = page + 27 + count;
    let length = 0;
    for (const lacing of bytes.subarray(page + 27, page + 27 + count)) {
      length += lacing;
      if (lacing === 255) continue;
      if (index === wanted) return bytes.subarray(start, start + length);
      start += length;
      length = 0;
      index += 1;
    }
    page = start;
  }
  throw new Error('there are not that many packets');
}
