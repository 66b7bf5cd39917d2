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
      const codec = ['-c:a', 'libmp3lame', '-b:a', `${bitrate}k`, '-reservoir', '0'];
      const bytes = encode((rate / samplesOfMp3Frame) * 12, rate, codec);
      const length = Math.floor((144_000 * bitrate) / rate);
      return [`${rate} ${bitrate}`, unpaddedFrame(bytes, length).toString('base64')];
    }),
  ),
);

const opus = Object.fromEntries(
  opusBitrates
    .filter((bitrate) => bitrate > 0)
    .map((bitrate) => {
      const codec = ['-c:a', 'libopus', '-b:a', String(bitrate), '-vbr', 'off', '-frame_duration', '20'];
      const bytes = encode(400, 48_000, codec);
      const length = bitrate / 8 / 50;
      return [
        String(bitrate),
        bytes
          .subarray(settledAfter * length)
          .subarray(0, length)
          .toString('base64'),
      ];
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

/** The frames or packets of a tone, one behind the other and nothing between them. */
function encode(tone: number, rate: number, codec: readonly string[]): Buffer {
  const output = join(folder, 'tone');
  const source = `sine=frequency=${tone}:sample_rate=${rate}:duration=3`;
  const input = ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-ac', '1', '-map', '0:a'];
  execFileSync('ffmpeg', [...input, ...codec, '-f', 'data', output], { stdio: 'inherit' });
  return readFileSync(output);
}

/** The first frame of mp3 without padding, once the encoder has settled. */
function unpaddedFrame(bytes: Buffer, length: number): Buffer {
  for (let index = 0, start = 0; ; index += 1) {
    const padding = (bytes.readUInt8(start + 2) >> 1) & 1;
    if (index >= settledAfter && padding === 0) return bytes.subarray(start, start + length);
    start += length + padding;
  }
}
