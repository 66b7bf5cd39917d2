import { expect, test } from 'vitest';
import { cutRecording, type RecordingPart } from '../src/index.ts';
import { decodeWithFfmpeg } from '../src/node/decode-with-ffmpeg.ts';
import { decode, make, startOf } from './ffmpeg.ts';

const rate = 16_000;
/** The interface allows no more at a joint, and neither does this. Seconds. */
const tolerance = 0.03;

/** Noise that swells and falls like syllables, with a pause of 0.6 s every 7 s: no two places are alike. */
const speechLike = [
  '-f',
  'lavfi',
  '-i',
  "anoisesrc=d=75:c=pink:r=44100:a=0.6:s=7,lowpass=f=3000,volume='if(lt(mod(t,7),0.6),0.0005,0.4+0.3*sin(t*19)*sin(t*3.1))':eval=frame",
];
/** The same without any pause. */
const restless = ['-f', 'lavfi', '-i', 'anoisesrc=d=75:c=pink:r=44100:a=0.6:s=8,lowpass=f=3000'];

/** A film's picture. */
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=75', '-c:v', 'mpeg4'];

const files: Readonly<Record<string, readonly [extension: string, ...args: string[]]>> = {
  'wav, 16-bit': ['wav'],
  'wav, extensible, 24-bit, 6 channels': ['wav', '-ac', '6', '-c:a', 'pcm_s24le'],
  'wav, float': ['wav', '-c:a', 'pcm_f32le', '-ac', '2'],
  'wav, A-law': ['wav', '-c:a', 'pcm_alaw', '-ar', '8000'],
  'wav, RF64': ['wav', '-rf64', 'always'],
  'mp3, 128 kbps': ['mp3', '-b:a', '128k', '-ac', '2'],
  'mp3, variable bitrate': ['mp3', '-q:a', '5'],
  'mp3, 32 kbps at 16 kHz': ['mp3', '-ar', '16000', '-b:a', '32k'],
  'mp3, without an information frame': ['mp3', '-write_xing', '0', '-b:a', '64k', '-ar', '44100'],
  'mp3, a large ID3 tag': ['mp3', '-b:a', '96k', '-metadata', `comment=${'x'.repeat(100_000)}`],
  'Ogg Opus, 20 ms': ['ogg', '-c:a', 'libopus', '-b:a', '24k'],
  'Ogg Opus, 60 ms, stereo': ['ogg', '-c:a', 'libopus', '-frame_duration', '60', '-ac', '2'],
  'Ogg Opus, constant bitrate': ['ogg', '-c:a', 'libopus', '-vbr', 'off', '-b:a', '48k'],
  'flac, 16-bit': ['flac'],
  'flac, 24-bit at 48 kHz': ['flac', '-ar', '48000', '-sample_fmt', 's32', '-ac', '2'],
  'Ogg Vorbis': ['ogg', '-c:a', 'libvorbis', '-q:a', '4'],
  'Ogg Vorbis, stereo at 32 kHz': ['ogg', '-c:a', 'libvorbis', '-ac', '2', '-ar', '32000'],
  adts: ['aac', '-c:a', 'aac', '-b:a', '96k'],
  'm4a, its index at the end': ['m4a', '-c:a', 'aac', '-b:a', '96k', '-ac', '2'],
  'm4a, its index at the start': [
    'm4a',
    '-c:a',
    'aac',
    '-b:a',
    '64k',
    '-ar',
    '24000',
    '-movflags',
    '+faststart',
  ],
  'mp4, a film': ['mp4', ...picture, '-c:a', 'aac', '-b:a', '96k'],
  'mp4, fragments': [
    'mp4',
    '-c:a',
    'aac',
    '-b:a',
    '96k',
    '-movflags',
    'frag_keyframe+empty_moov',
    '-frag_duration',
    '2000000',
  ],
  'mp4, Opus': ['mp4', '-c:a', 'libopus', '-b:a', '32k'],
  'mov, PCM': ['mov', '-c:a', 'pcm_s16le'],
  'webm, Opus': ['webm', '-c:a', 'libopus', '-b:a', '32k'],
  'webm, Vorbis': ['webm', '-c:a', 'libvorbis', '-q:a', '4'],
  'Matroska, a film with FLAC': ['mkv', ...picture, '-c:a', 'flac', '-sample_fmt', 's16'],
  'Matroska, AAC at 16 kHz': ['mka', '-c:a', 'aac', '-ar', '16000'],
  'Matroska, mp3': ['mka', '-c:a', 'libmp3lame', '-b:a', '96k'],
};

for (const [name, [extension, ...args]] of Object.entries(files)) {
  test(`${name}: parts are cut in pauses and join without a gap`, async () => {
    const whole = await make([...speechLike, ...args], extension);
    const parts = await cut(whole.bytes, 20);
    expect(parts.length).toBeGreaterThanOrEqual(4);
    for (const { start, overlap, index } of parts) {
      expect(overlap).toBe(0);
      // The pauses are the first 0.6 s of every 7.
      if (index > 0) expect(start % 7).toBeLessThan(0.6);
    }
    await expectJoints(whole.bytes, parts);
  });

  test(`${name}: parts overlap where nobody pauses`, async () => {
    const whole = await make([...restless, ...args], extension);
    const parts = await cut(whole.bytes, 20);
    for (const { overlap } of parts.slice(1)) expect(Math.abs(overlap - 6)).toBeLessThan(0.1);
    await expectJoints(whole.bytes, parts);
    // The warm-up is over when a part begins to count: its first tenth of a second is that of the whole.
    const sound = await decode(whole.bytes);
    for (const { bytes: file, start, offset } of parts.slice(1)) {
      const own = await decode(file);
      const [at, ownAt] = [start * rate, (start - offset) * rate].map(Math.round);
      expect(correlation(sound, at ?? 0, own, ownAt ?? 0, rate / 10)).toBeGreaterThan(0.97);
    }
  });
}

test('chained Ogg Opus: every link is in its parts, and its times go on from the link before', async () => {
  const links = await Promise.all(
    [speechLike, restless].map((source) => make([...source, '-t', '33', '-c:a', 'libopus'], 'ogg')),
  );
  const sounds = await Promise.all(links.map(({ bytes }) => decode(bytes)));
  const chained = new Uint8Array(links.flatMap(({ bytes }) => [...bytes]));
  const parts = await cut(chained, 20);
  await expectSound(Float32Array.from(sounds.flatMap((sound) => [...sound])), parts);
});

test('a part is no larger than the limit', async () => {
  const whole = await make([...speechLike, '-ac', '2'], 'wav');
  const parts: RecordingPart[] = [];
  for await (const part of cutRecording([whole.bytes], { maximumBytes: 1_000_000 })) parts.push(part);
  expect(parts.length).toBeGreaterThan(12);
  for (const { bytes } of parts) expect(bytes.length).toBeLessThanOrEqual(1_000_000);
  await expectJoints(whole.bytes, parts);
});

async function cut(bytes: Uint8Array<ArrayBuffer>, maximumSeconds: number): Promise<RecordingPart[]> {
  const parts: RecordingPart[] = [];
  const source = new Blob([bytes]);
  for await (const part of cutRecording(source, { maximumSeconds, decode: decodeWithFfmpeg }))
    parts.push(part);
  return parts;
}

async function expectJoints(whole: Uint8Array, parts: readonly RecordingPart[]): Promise<void> {
  await expectSound(await decode(whole), parts);
}

/** Every part has the sound of the whole in its place, at its start and at its end, and no moment is missing. */
async function expectSound(whole: Float32Array, parts: readonly RecordingPart[]): Promise<void> {
  let covered = 0;
  for (const part of parts) {
    const { end = Number.NaN } = part;
    expect(Math.abs(part.start + part.overlap - covered)).toBeLessThan(tolerance);
    covered = end;
    // ffprobe counts what a decoder leaves out; the first sample that is heard is the one at 0.
    expect(Math.abs(await startOf(part.bytes))).toBeLessThan(tolerance);
    const sound = await decode(part.bytes);
    expect(sound.length / rate).toBeGreaterThan(end - part.offset - tolerance);
    for (const seconds of [part.start, (part.start + end) / 2 - 0.5, end - 1]) {
      expect([part.index, seconds, lagAt(whole, seconds, sound, seconds - part.offset)]).toEqual([
        part.index,
        seconds,
        0,
      ]);
    }
  }
  expect(Math.abs(covered - whole.length / rate)).toBeLessThan(tolerance);
}

/** By how many milliseconds the second sound is late, looked for within 120 ms; NaN where they are not alike. */
function lagAt(whole: Float32Array, at: number, part: Float32Array, partAt: number): number {
  const length = 0.9 * rate;
  const start = Math.round(at * rate) + 800;
  const partStart = Math.round(partAt * rate) + 800;
  let best = { lag: Number.NaN, alike: 0.8 };
  for (let lag = -0.12 * rate; lag <= 0.12 * rate; lag += 2) {
    const alike = correlation(whole, start, part, partStart + lag, length);
    if (alike > best.alike) best = { lag, alike };
  }
  return Math.round((best.lag / rate) * 1000) + 0;
}

function correlation(
  left: Float32Array,
  leftStart: number,
  right: Float32Array,
  rightStart: number,
  length: number,
): number {
  let [both, first, second] = [0, 1e-9, 1e-9];
  for (let index = 0; index < length; index += 3) {
    const one = left[leftStart + index] ?? 0;
    const other = right[rightStart + index] ?? 0;
    both += one * other;
    first += one * one;
    second += other * other;
  }
  return both / Math.sqrt(first * second);
}
